extension Duration {
    /// Creates a duration with nanosecond precision, clamped to ±100 years.
    package init(clampedSeconds seconds: Double) {
        let century = 3_155_760_000.0
        guard !seconds.isNaN else {
            self = .zero
            return
        }
        let bounded = min(max(seconds, -century), century)
        let whole = bounded.rounded(.down)
        self = .seconds(Int64(whole)) + .nanoseconds(Int64(((bounded - whole) * 1e9).rounded()))
    }
}
