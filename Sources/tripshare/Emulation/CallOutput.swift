import Dispatch
import Failures
import FleetWire
import Foundation
import Runtime
import Synchronization
import SystemPackage
import TripFeed
import TripText

/// Writes the calls that an emulator receives to standard output while it runs, one line each.
///
/// A thread of its own writes. A reader that is slow gets the calls that fit into the queue, and the numbers of those that do not; a reader
/// that has gone ends the output, not the emulator.
final class CallOutput: Sendable {
    private struct State {
        var calls: [Call] = []
        /// The calls that were dropped since the last one in ``calls`` was added.
        var omission = EventOmission()
        /// When the last one of them ended.
        var lastOmitted = Date.distantPast
        /// The number of calls that were removed from the queue and not written yet.
        var unwritten = 0
        /// Whether no more calls are to come.
        var isOver = false
        /// Whether the reader has gone.
        var isStopped = false
    }

    /// The maximum number of calls that wait for the reader.
    static let most = 2000

    private let filter: CallFilter
    private let limit: Int
    private let write: @Sendable (Part) throws(Errno) -> Void
    private let state = Mutex(State())
    /// Signaled once for each change.
    private let turn = DispatchSemaphore(value: 0)
    /// Signaled once the output may begin.
    private let start = DispatchSemaphore(value: 0)
    private let (ends, end) = AsyncStream.makeStream(of: Void.self)

    /// A part of the output.
    enum Part: Sendable {
        case call(Call)
        /// Calls that were dropped until a time, because the reader was too slow.
        case omitted(EventOmission, until: Date)
    }

    /// Creates an output of the calls that a filter matches, and starts its thread, which writes nothing before ``begin()``.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - limit: The maximum number of calls that wait for the reader.
    ///   - write: Writes a part; it may block.
    init(_ filter: CallFilter, limit: Int = most, write: @escaping @Sendable (Part) throws(Errno) -> Void) {
        (self.filter, self.limit, self.write) = (filter, limit, write)
        // Writing blocks, so that it must not use a thread of the emulator. The thread ends with the output or with the process.
        Thread.detachNewThread { [self] in
            start.wait()
            writeAll()
            end.finish()
        }
    }

    /// Runs a closure with an output, `nil` without a form; says at the end how many calls were not shown.
    static func with(
        _ form: ReportForm?,
        _ filter: CallFilter,
        body: (CallOutput?) async throws -> Void
    ) async throws {
        guard let form else { return try await body(nil) }
        let output = CallOutput(filter) { part throws(Errno) in try form.write(part) }
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(output))
        } catch {
            result = .failure(error)
        }
        let missing = await output.close()
        if missing > 0 { Printing.warning(.warningCallsDropped(count: missing)) }
        try result.get()
    }

    /// Begins to write; the calls before are written first.
    func begin() { start.signal() }

    /// Adds a call, unless the filter does not match it.
    func add(_ call: Call) {
        guard filter.matches(call) else { return }
        let isNew = state.withLock { state in
            guard !state.isStopped, state.calls.count < limit else {
                state.omission.count(call)
                state.lastOmitted = call.ended.wall
                return false
            }
            state.calls.append(call)
            return true
        }
        if isNew { turn.signal() }
    }

    /// Waits until the reader has got everything, but not longer than for a pipe; returns the number of calls that it has not got.
    func close() async -> Int {
        state.withLock { $0.isOver = true }
        start.signal()
        turn.signal()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [ends] in for await _ in ends {} }
            // The wait ends early if the output has ended.
            group.addTask { try? await Task.sleep(for: .seconds(OutputFile.pipeTimeout), clock: .continuous) }
            await group.next()
            group.cancelAll()
        }
        return state.withLock { $0.calls.count + $0.omission.total + $0.unwritten }
    }

    private func writeAll() {
        while true {
            turn.wait()
            let (parts, isOver) = state.withLock { state in
                var parts = state.calls.map(Part.call)
                if state.omission.total > 0 { parts.append(.omitted(state.omission, until: state.lastOmitted)) }
                state.unwritten = state.calls.count + state.omission.total
                (state.calls, state.omission) = ([], EventOmission())
                return (parts, state.isOver)
            }
            for part in parts {
                do throws(Errno) {
                    try write(part)
                    state.withLock { $0.unwritten -= part.count }
                } catch {
                    return stop(error)
                }
            }
            if isOver { return }
        }
    }

    private func stop(_ error: Errno) {
        state.withLock { $0.isStopped = true }
        Printing.warning(.warningCallsNotShown(reason: unsafe String(cString: strerror(error.rawValue))))
    }
}

extension ReportForm {
    /// Writes a part of the calls that an emulator receives.
    fileprivate func write(_ part: CallOutput.Part) throws(Errno) {
        switch (self, part) {
        case (.json, .call(let call)): try Printing.tryJSON(CallLine(ListedCall(call)))
        case (.json, .omitted(let omission, let time)):
            try Printing.tryJSON(OmittedLine(ofCalls: omission, now: time))
        case (.plain, .call(let call)):
            for line in CallTable(localizer: .ofProcess).lines(of: ListedCall(call)) { try Printing.tryOut(line) }
        case (.plain, .omitted(let omission, _)):
            try Printing.tryOut(Localizer.ofProcess(.callsOmitted(count: omission.total)))
        }
    }
}

extension CallOutput.Part {
    /// The number of calls.
    fileprivate var count: Int {
        switch self {
        case .call: 1
        case .omitted(let omission, _): omission.total
        }
    }
}

extension EventOmission {
    /// Counts a call.
    fileprivate mutating func count(_ call: Call) {
        if let failure = call.failure { add(1, failuresOf: failure.nameInJSON) } else { successes += 1 }
    }
}
