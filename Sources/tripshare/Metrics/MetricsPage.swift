import CoreMetrics
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
