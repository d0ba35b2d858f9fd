/// Recognizes a slow connection to the terminal by bytes that it has not accepted.
///
/// The vehicle then moves once per second only, so that keys are answered without delay.
struct LineSpeed: Sendable {
    /// How long the connection counts as slow, in real time.
    static let duration = Duration.seconds(10)

    private var slowUntil: Duration?

    /// Notes whether the terminal has not accepted all bytes of an earlier frame, at a real time.
    mutating func observe(isBehind: Bool, at real: Duration) {
        if isBehind { slowUntil = real + Self.duration }
    }

    /// Returns whether the connection is slow.
    func isSlow(at real: Duration) -> Bool { slowUntil.map { real < $0 } ?? false }
}
