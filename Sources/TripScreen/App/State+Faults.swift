import Canvas
import TripText

/// The injected faults on the screen.
extension State {
    /// Sets the menu of faults.
    package mutating func offer(_ faults: [FaultChoice]) { settings.faults = faults }

    /// The active faults; `nil` if there are none.
    var faultBanner: Banner? {
        let say = settings.localizer
        let names = settings.faults.filter { activeFaults.contains($0.id) }.map { say($0.title) }
        guard !names.isEmpty else { return nil }
        let key = settings.keys.first { $0.command == .clearFaults }?.name ?? ""
        let list = names.joined(separator: say(.listComma))
        return Banner(text: say(.faultsActive, list, key.isEmpty ? ":clear-faults" : key), role: .badgeCritical)
    }

    /// Processes a key while the menu is open; returns `nil` for keys that it does not use.
    mutating func typeInFaults(_ key: Key) -> [Effect]? {
        let commands = settings.keys.filter { $0.keys.contains(key) }.map(\.command)
        if commands.contains(.faults) {
            overlay = nil
            return []
        }
        if commands.contains(.clearFaults) { return [.fault(.clear)] }
        let rows = Self.rows(key, page: 5)
        if rows != 0 {
            chooseFault(by: rows)
            return []
        }
        guard key == .enter || key == .character(" "), settings.faults.indices.contains(chosenFault) else { return nil }
        return [.fault(.toggle(settings.faults[chosenFault].id))]
    }

    /// Selects another fault.
    mutating func chooseFault(by steps: Int) {
        chosenFault = max(0, min(chosenFault + steps, settings.faults.count - 1))
    }
}
