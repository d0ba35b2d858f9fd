import CoreMetrics
import Testing
import TripTestSupport

@testable import tripshare

@Suite("Metrics as text for Prometheus", .ends(within: .quickTest))
struct PrometheusRegistryTests {
    private static let families = [
        MetricFamily("polls_total", .counter, "Polls.", labels: ["outcome"]),
        MetricFamily("keys", .gauge, "Keys, \\ and\nmore."),
        MetricFamily("latency_seconds", .histogram([0.1, 0.5, 1]), "Latency in seconds."),
    ]

    private let registry = PrometheusRegistry(Self.families)

    @Test func `counters, gauges and histograms have a help text and a type`() {
        Counter(label: "polls", dimensions: [("outcome", "ok")], factory: registry).increment(by: 3)
        Counter(label: "polls_total", dimensions: [("outcome", "lost")], factory: registry).increment()
        Gauge(label: "keys", factory: registry).record(2.5)
        let latency = Recorder(label: "latency_seconds", factory: registry)
        for value in [0.05, 0.1, 0.7, 3] { latency.record(value) }
        #expect(
            registry.text() == """
                # HELP polls_total Polls.
                # TYPE polls_total counter
                polls_total{outcome="lost"} 1
                polls_total{outcome="ok"} 3
                # HELP keys Keys, \\\\ and\\nmore.
                # TYPE keys gauge
                keys 2.5
                # HELP latency_seconds Latency in seconds.
                # TYPE latency_seconds histogram
                latency_seconds_bucket{le="0.1"} 2
                latency_seconds_bucket{le="0.5"} 2
                latency_seconds_bucket{le="1"} 3
                latency_seconds_bucket{le="+Inf"} 4
                latency_seconds_sum 3.85
                latency_seconds_count 4

                """
        )
    }

    @Test func `handlers with the same name and labels are one series, in any order of the labels`() {
        for dimensions in [[("a", "1"), ("b", "2")], [("b", "2"), ("a", "1")]] {
            Counter(label: "polls", dimensions: dimensions, factory: registry).increment()
        }
        #expect(registry.text().contains("polls_total{a=\"1\",b=\"2\"} 2\n"))
    }

    @Test func `values of labels are escaped`() {
        Counter(label: "polls", dimensions: [("outcome", "a\"b\\c\nd")], factory: registry).increment()
        #expect(registry.text().contains(#"polls_total{outcome="a\"b\\c\nd"} 1"#))
    }

    @Test func `metrics that are not documented and series beyond the maximum are not served`() {
        Counter(label: "others", factory: registry).increment()
        Gauge(label: "polls_total", factory: registry).record(9)
        for number in 0..<(2 * PrometheusRegistry.mostSeries) {
            Counter(label: "polls", dimensions: [("outcome", "\(number)")], factory: registry).increment()
        }
        let lines = registry.text().split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines.count == PrometheusRegistry.mostSeries)
        #expect(lines.allSatisfy { $0.hasPrefix("polls_total{") })
    }

    @Test func `timers are recorded in seconds, and counters never shrink`() {
        Timer(label: "latency_seconds", factory: registry).recordMilliseconds(250)
        let counter = Counter(label: "polls", factory: registry)
        counter.increment(by: 2)
        counter.increment(by: -1)
        let text = registry.text()
        #expect(text.contains("latency_seconds_sum 0.25\n"))
        #expect(text.contains("polls_total 2\n"))
    }
}
