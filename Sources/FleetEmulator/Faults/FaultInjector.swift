package import Foundation
import Synchronization
import TripModel

/// The active faults, which are applied to every answer.
package final class FaultInjector: Sendable {
    private struct Entry {
        var id: Int
        var fault: Fault
        var since: Date
        var left: Int?
    }

    private struct State {
        var entries: [Entry] = []
        var lastID = 0

        mutating func removeEnded(at now: Date) {
            entries.removeAll { entry in
                if let left = entry.left, left <= 0 { return true }
                return entry.fault.duration.map { now.timeIntervalSince(entry.since) >= $0.seconds } ?? false
            }
        }
    }

    private let state = Mutex(State())

    /// The waits of the faults that delay answers.
    package let delays = FaultDelays()

    /// Creates an injector without faults.
    package init() {}

    /// Adds a fault; returns its number.
    @discardableResult
    package func add(_ fault: Fault, at now: Date) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.entries.append(Entry(id: state.lastID, fault: fault, since: now, left: fault.count))
            return state.lastID
        }
    }

    /// Removes one fault, or all; returns whether there was one.
    @discardableResult
    package func clear(_ id: Int? = nil) -> Bool {
        state.withLock { state in
            let before = state.entries.count
            state.entries.removeAll { id == nil || $0.id == id }
            return state.entries.count < before
        }
    }

    /// Returns the active faults with their numbers.
    package func all(at now: Date) -> [(id: Int, fault: Fault)] {
        state.withLock { state in
            state.removeEnded(at: now)
            return state.entries.map { ($0.id, $0.fault) }
        }
    }

    /// Returns the faults that apply to an answer, and decrements their counts.
    func take(_ target: Fault.Target, request: String, at now: Date) -> [Fault] {
        state.withLock { state in
            guard !state.entries.isEmpty else { return [] }
            state.removeEnded(at: now)
            var active: [Fault] = []
            for index in state.entries.indices {
                let fault = state.entries[index].fault
                guard fault.target == target, fault.matches(request) else { continue }
                active.append(fault)
                if let left = state.entries[index].left { state.entries[index].left = left - 1 }
            }
            state.removeEnded(at: now)
            return active
        }
    }
}
