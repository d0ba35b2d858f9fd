import FleetEmulator
import Synchronization
import TripTestSupport

/// Signing keys for runs in a ``SerialLoop``.
///
/// Generating keys takes seconds without optimization, so that a later run uses those of an earlier one. Two runs at the same
/// time have different ones: keys contain actors, and a job that waits for an actor runs on the thread that uses it, which is
/// then the loop of the other run.
///
/// At most three runs at a time have keys: each run keeps a processor busy, and each further one would generate its own keys.
enum LoopKeys {
    private static let turns = Turns(3)
    private static let free = Mutex<[EmulatorKeys]>([])

    /// Runs a body with keys that nothing else uses.
    static func use<Value>(_ body: (EmulatorKeys) async throws -> Value) async throws -> Value {
        await turns.acquire()
        defer { turns.giveBack() }
        let keys: EmulatorKeys
        if let earlier = free.withLock({ $0.popLast() }) { keys = earlier } else { keys = try await EmulatorKeys() }
        defer { free.withLock { $0.append(keys) } }
        return try await body(keys)
    }
}
