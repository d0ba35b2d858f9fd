import Foundation

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
