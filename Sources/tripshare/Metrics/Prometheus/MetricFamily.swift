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
