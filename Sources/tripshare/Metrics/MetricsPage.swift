import ArgumentParser
import CoreMetrics
import Failures
import FleetEmulator
import FleetTokens
import TripText

/// The page that Prometheus reads.
struct MetricsPage: Sendable {
    /// The backend.
    let registry: PrometheusRegistry
    /// Updates what is computed when the page is read.
    var refresh: @Sendable () -> Void = {}

    /// The path that Prometheus reads by default.
    private static let path = "/metrics"

    /// Creates a page with the version of the program.
    init() {
        registry = PrometheusRegistry(MetricTable.all)
        let version = [(MetricTable.build.labels[0], Tripshare.version)]
        Gauge(label: MetricTable.build.name, dimensions: version, factory: registry).record(1)
    }

    /// Serves the page while the body runs, which gets its URL; without a port it only runs the body.
    ///
    /// - Throws: ``CommandFailure`` if the port can't be used, or the error of the body.
    func serve(_ options: MetricsOptions, body: @escaping @Sendable (_ url: String?) async throws -> Void) async throws
    {
        guard let port = options.metricsPort else { return try await body(nil) }
        let page = TextPage(path: Self.path, contentType: "text/plain; version=0.0.4; charset=utf-8") {
            refresh()
            return registry.text()
        }
        if options.isPublic { Printing.warning(.warningMetricsListening(host: excerpt(options.host))) }
        do {
            try await page.serve(
                host: options.host,
                port: port,
                isPublic: options.isPublic,
                // Prometheus compares the time of answers with its own.
                clock: SystemClock(),
                body: body
            )
        } catch let error as EmulatorError {
            throw EmulatorRun.failure(error)
        }
    }

    /// Counts a request that the emulator has answered.
    func count(_ request: AnsweredRequest) {
        let values = [request.endpoint.rawValue, request.method, "\(request.status)"]
        let dimensions = Array(zip(MetricTable.requests.labels, values))
        Counter(label: MetricTable.requests.name, dimensions: dimensions, factory: registry).increment()
    }
}

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

extension SessionRunner {
    /// Runs a session, and serves its metrics meanwhile if the options ask for them; the other parameters are the parameters of
    /// ``run(_:on:)``.
    static func run(
        _ configuration: SessionConfiguration,
        _ options: MetricsOptions,
        on opening: ScreenOpening? = nil
    ) async throws {
        guard options.metricsPort != nil else { return try await run(configuration, on: opening) }
        var (configuration, page) = (configuration, MetricsPage())
        let counts = SessionMetrics(page.registry, configuration)
        configuration.metrics = counts
        page.refresh = { counts.refresh() }
        try await page.serve(options) { [configuration] url in
            var configuration = configuration
            if let url {
                let text = Localizer.ofProcess(.metricsServed(url: url))
                // Standard output has the events of the session, and a screen that is open already shows it.
                if opening == nil { Printing.error(text) } else { configuration.announcement = text }
            }
            try await run(configuration, on: opening)
        }
    }
}
