import ArgumentParser
import Failures
import TripText

/// Options for metrics.
struct MetricsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve metrics for Prometheus at /metrics on this port of loopback; 0 for a free one.",
            valueName: "port"
        )
    )
    var metricsPort: Int?

    @Option(help: ArgumentHelp("The address for --metrics-port (default: 127.0.0.1).", valueName: "address"))
    var metricsHost: String?

    func validate() throws {
        try require(metricsPort.isNilOrIn(0...65_535), .usagePort)
        try require(metricsHost == nil || metricsPort != nil, .usageMetricsHost)
    }

    /// The address to listen on.
    var host: String { metricsHost ?? "127.0.0.1" }
    /// Whether other machines can read the metrics.
    var isPublic: Bool { !URLOrigin.isLoopback(host.lowercased()) }
}
