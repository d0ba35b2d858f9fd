import TripTestSupport

/// A moment on the clock and in the processor time of this process.
///
/// On a machine with other work a step takes longer than its work. The processor time of the whole process is an upper limit
/// of the work of each step, so that the lesser of both times is a duration that other processes don't prolong.
struct BusyTime: Sendable {
    private let instant = ContinuousClock.now
    private let processor = ProcessorTime.ofProcess

    /// The lesser of the elapsed time and the processor time that this process has used since then.
    var elapsed: Duration { min(instant.duration(to: .now), ProcessorTime.ofProcess - processor) }
}
