import CoreMetrics
import Synchronization

/// A backend of swift-metrics that renders its values in the text format of Prometheus, version 0.0.4.
///
/// None of the available packages contains such a backend. The format is specified in Prometheus' documentation, “Exposition
/// formats”.
///
/// It has only the families that it was created with, so that no metric without a documentation is served: handlers with
/// other names count nothing, and so do those beyond ``mostSeries`` of a family. A name of swift-metrics gets `_total` if its
/// family is a counter.
final class PrometheusRegistry: MetricsFactory {
    /// The maximum number of series of one family.
    static let mostSeries = 200

    private let families: [MetricFamily]
    private let series: Mutex<[String: [[Label]: Series]]>

    /// Creates a registry without values.
    ///
    /// - Parameter families: The metrics in the order in which they are rendered.
    init(_ families: [MetricFamily]) {
        self.families = families
        series = Mutex([:])
    }

    // MARK: Creating handlers

    /// Returns the counter with a label and dimensions.
    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        handler(label, dimensions) { $0 == .counter }
    }

    /// Returns the gauge with a label and dimensions or, with `aggregate`, the histogram.
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        handler(label, dimensions) { $0 != .counter && aggregate == ($0 != .gauge) }
    }

    /// Returns the histogram with a label and dimensions, which records in seconds.
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        handler(label, dimensions) { $0 != .counter && $0 != .gauge }
    }

    /// Does nothing: series stay until the process ends, as Prometheus expects.
    func destroyCounter(_ handler: any CounterHandler) {}
    /// Does nothing: series stay until the process ends, as Prometheus expects.
    func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Does nothing: series stay until the process ends, as Prometheus expects.
    func destroyTimer(_ handler: any TimerHandler) {}

    private func handler(
        _ name: String,
        _ dimensions: [(String, String)],
        if isOf: (MetricFamily.Kind) -> Bool
    ) -> Series {
        let family = families.first { ($0.name == name || $0.name == name + "_total") && isOf($0.kind) }
        guard let family else { return Series(.gauge) }
        // The order of dimensions does not distinguish series.
        let labels = dimensions.map { Label(name: $0, value: $1) }.sorted { $0.name < $1.name }
        return series.withLock { series in
            if let known = series[family.name]?[labels] { return known }
            let new = Series(family.kind)
            if series[family.name, default: [:]].count < Self.mostSeries {
                series[family.name, default: [:]][labels] = new
            }
            return new
        }
    }

    // MARK: Rendering

    /// Returns all values as text; families without series are left out.
    func text() -> String {
        let series = series.withLock(\.self)
        var text = PrometheusText()
        for family in families {
            guard let ofFamily = series[family.name], !ofFamily.isEmpty else { continue }
            text.begin(family)
            for (labels, values) in ofFamily.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                text.add(values.value, of: family, labels)
            }
        }
        return text.text
    }
}

/// The name and the value of a label.
struct Label: Hashable, Comparable, Sendable {
    var name: String
    var value: String

    static func < (left: Label, right: Label) -> Bool { (left.name, left.value) < (right.name, right.value) }
}
