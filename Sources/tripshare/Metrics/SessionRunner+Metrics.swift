import TripText

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
