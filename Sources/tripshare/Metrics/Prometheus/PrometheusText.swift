import CoreMetrics
import Foundation
import Synchronization

/// Writes values in the text format of Prometheus.
struct PrometheusText {
    /// The lines so far.
    private(set) var text = ""

    /// Writes the head of a family.
    mutating func begin(_ family: MetricFamily) {
        text += "# HELP \(family.name) \(Self.escaped(family.help, quotes: false))\n"
        text += "# TYPE \(family.name) \(family.kind.name)\n"
    }

    /// Writes the lines of a series.
    mutating func add(_ value: Series.Value, of family: MetricFamily, _ labels: [Label]) {
        guard case .histogram(let bounds) = family.kind else { return line(family.name, labels, value.sum) }
        var count = 0
        for (bound, more) in zip(bounds, value.buckets) {
            count += more
            line(family.name + "_bucket", labels + [Label(name: "le", value: Self.number(bound))], Double(count))
        }
        line(family.name + "_bucket", labels + [Label(name: "le", value: "+Inf")], Double(value.count))
        line(family.name + "_sum", labels, value.sum)
        line(family.name + "_count", labels, Double(value.count))
    }

    private mutating func line(_ name: String, _ labels: [Label], _ value: Double) {
        text += name
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }.joined(separator: ",")
            text += "}"
        }
        text += " \(Self.number(value))\n"
    }

    /// Returns a number as Go parses it.
    static func number(_ value: Double) -> String {
        switch value {
        case .infinity: "+Inf"
        case -.infinity: "-Inf"
        case _ where value.isNaN: "NaN"
        case _ where value == value.rounded() && abs(value) < 1e15: String(Int64(value))
        default: "\(value)"
        }
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        return quotes ? escaped.replacing("\"", with: "\\\"") : escaped
    }
}

/// One metric with all its series: what the lines `# HELP` and `# TYPE` say, and the bounds of its values.
struct MetricFamily: Sendable {
    /// How the values of a metric are counted.
    enum Kind: Sendable, Equatable {
        /// A number that only grows.
        case counter
        /// A number that grows and shrinks.
        case gauge
        /// A distribution over buckets with these upper bounds, in ascending order and without infinity.
        case histogram([Double])

        /// The name in the line `# TYPE`.
        var name: String {
            switch self {
            case .counter: "counter"
            case .gauge: "gauge"
            case .histogram: "histogram"
            }
        }
    }

    /// The name, which for a counter ends with `_total`.
    let name: String
    /// How the values are counted.
    let kind: Kind
    /// What the values mean, as one line of text.
    let help: String
    /// The names of the labels.
    let labels: [String]

    /// Creates a family.
    init(_ name: String, _ kind: Kind, _ help: String, labels: [String] = []) {
        (self.name, self.kind, self.help, self.labels) = (name, kind, help, labels)
    }
}

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
