import Foundation

/// Detects that a program makes no progress: it writes nothing and computes nothing.
///
/// A wait for its output then fails long before the deadline for a busy machine.
package struct ProgressWatch {
    /// How long a program may make no progress.
    package static let limit = Duration.seconds(60)
    /// The processor time that counts as progress; a program that only waits for its timers uses less in a minute.
    static let computing = Duration.seconds(1)

    private let limit: Duration
    private var output = -1
    private var processor = Duration.zero
    private var last: ContinuousClock.Instant

    /// Starts watching.
    package init(limit: Duration = Self.limit, since start: ContinuousClock.Instant = .now) {
        (self.limit, last) = (limit, start)
    }

    /// Fails if a program has made no progress for too long.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - output: The number of bytes that it has written.
    ///   - what: What the test waits for.
    /// - Throws: ``WaitFailure``.
    package mutating func check(_ program: SpawnedProgram, output: Int, for what: String) throws {
        guard isStalled(output: output, processor: program.processorTime, at: .now) else { return }
        throw WaitFailure("\(what) did not come, and the program made no progress for \(limit)")
    }

    /// Returns whether the program has made no progress for too long; the processor time is `nil` if it is unknown.
    package mutating func isStalled(output: Int, processor: Duration?, at now: ContinuousClock.Instant) -> Bool {
        let processor = processor ?? self.processor
        if output != self.output || processor - self.processor >= Self.computing {
            (self.output, self.processor, last) = (output, processor, now)
        }
        return now - last >= limit
    }
}

extension SpawnedProgram {
    /// The processor time that the program has used; `nil` if it has ended.
    package var processorTime: Duration? {
        // A process that has ended has no resources.
        (try? Resources(of: pid)).map { .seconds($0.processor) }
    }
}
