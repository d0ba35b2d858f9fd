import Synchronization
import TripScreen

/// Switches the faults of the menu: in an emulator through its control API, otherwise in this program's own requests.
///
/// Changes are made one after another. What is active in the emulator is what it answered last, so that faults of others are
/// shown and none is left behind that the menu calls off.
final class FaultSwitch: Sendable {
    private struct State {
        /// The names of the active faults in the emulator, as it answered last.
        var emulated: [String] = []
        /// The last piece of work; the next one waits for it.
        var last: Task<Void, Never>?
    }

    /// The faults in this program's own requests.
    let client: ClientFaults
    private let emulator: EmulatorFaults?
    private let state = Mutex(State())

    /// Creates a switch.
    init(client: ClientFaults, emulator: EmulatorFaults?) {
        (self.client, self.emulator) = (client, emulator)
    }

    /// The menu.
    var faults: [TestFault] { TestFault.possible(withEmulator: emulator != nil) }

    /// The names of the active faults, the emulator's faults first.
    var active: [String] { state.withLock(\.emulated) + client.active }

    /// Makes a change after the earlier ones.
    ///
    /// - Parameters:
    ///   - change: The change. A toggle inverts what is shown when its turn comes.
    ///   - show: Called with the active faults after the change, before the next one begins.
    /// - Returns: The change; its value is an error message if the emulator refused it or can't be reached.
    func begin(
        _ change: FaultChange,
        show: @escaping @Sendable (_ active: [String]) async -> Void = { _ in }
    ) -> Task<String?, Never> {
        inTurn { [self] in
            let problem =
                switch change {
                case .clear: await perform([:])
                case .toggle(let id): await perform([id: !active.contains(id)])
                }
            await show(active)
            return problem
        }
    }

    /// Shows the active faults after the changes that have begun.
    func show(_ show: @escaping @Sendable (_ active: [String]) async -> Void) async {
        await inTurn { [self] in await show(active) }.value
    }

    /// Starts work that begins when the earlier work has ended; the caller awaits it.
    private func inTurn<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
        state.withLock { state in
            let task = Task { [last = state.last] in
                await last?.value
                return await work()
            }
            // Ends with the work, and the next piece of work awaits it.
            state.last = Task { _ = await task.value }
            return task
        }
    }

    /// Switches the named faults of the menu on or off, and all others off if none is named.
    private func perform(_ wanted: [String: Bool]) async -> String? {
        let entries = faults.filter { wanted.isEmpty || wanted[$0.id] != nil }
        for entry in entries { setOwn(entry, wanted[entry.id] ?? false) }
        let changes = entries.filter { $0.emulated != nil || $0.isFreeze }
        guard let emulator, !changes.isEmpty else { return nil }
        var problem: EmulatorFaults.Problem?
        do throws(EmulatorFaults.Problem) {
            let before = try await emulator.listing()
            for entry in changes { try await emulator.set(entry, wanted[entry.id] ?? false, in: before) }
        } catch {
            problem = error
        }
        do throws(EmulatorFaults.Problem) {
            // The answer to a change may be lost although the emulator has made it.
            let after = try await emulator.listing()
            let active = emulator.active(of: faults, in: after)
            client.setEmulated(faults.filter { active.contains($0.id) })
            state.withLock { $0.emulated = active }
            let isDone = changes.allSatisfy { emulator.is($0, wanted[$0.id] ?? false, in: after) }
            return isDone ? nil : problem?.text
        } catch {
            return (problem ?? error).text
        }
    }

    /// Switches a fault of this program's own requests.
    private func setOwn(_ entry: TestFault, _ isOn: Bool) {
        guard isOn else {
            if client.active.contains(entry.id) { client.remove(entry.id) }
            return
        }
        switch entry.effect {
        case .ownFault(let fault): client.add(entry.id, fault)
        case .fault(let fault) where emulator == nil: client.add(entry.id, fault)
        case .fault, .freeze: break
        }
    }
}
