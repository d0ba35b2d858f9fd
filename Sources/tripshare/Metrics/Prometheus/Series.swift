import CoreMetrics
import Synchronization

/// The values of one family with one set of labels.
final class Series: Sendable {
    /// What is rendered.
    struct Value: Sendable {
        /// The value of a counter or gauge, and the sum of a histogram.
        var sum = 0.0
        /// The number of recorded values of a histogram.
        var count = 0
        /// The number of values up to each bound of a histogram, without those up to the bound before.
        var buckets: [Int] = []
    }

    private let kind: MetricFamily.Kind
    private let state: Mutex<Value>

    /// Creates a series with the value 0.
    init(_ kind: MetricFamily.Kind) {
        self.kind = kind
        var value = Value()
        if case .histogram(let bounds) = kind { value.buckets = Array(repeating: 0, count: bounds.count) }
        state = Mutex(value)
    }

    /// The current value.
    var value: Value { state.withLock(\.self) }
}

extension Series: CounterHandler {
    func increment(by amount: Int64) {
        // A counter never shrinks.
        guard amount > 0 else { return }
        state.withLock { $0.sum += Double(amount) }
    }

    func reset() { state.withLock { $0.sum = 0 } }
}

extension Series: RecorderHandler {
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard case .histogram(let bounds) = kind else { return state.withLock { $0.sum = value } }
        guard value.isFinite else { return }
        state.withLock { state in
            state.count += 1
            state.sum += value
            if let bucket = bounds.firstIndex(where: { value <= $0 }) { state.buckets[bucket] += 1 }
        }
    }
}

extension Series: TimerHandler {
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
}
