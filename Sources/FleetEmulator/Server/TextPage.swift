package import Runtime
import TripModel

/// One page of text over HTTP, such as the metrics of a program.
package struct TextPage: Sendable {
    /// The path.
    package var path: String
    /// The value of the header `Content-Type`.
    package var contentType: String
    /// Returns the text for each request.
    package var text: @Sendable () async -> String

    package init(path: String, contentType: String, text: @escaping @Sendable () async -> String) {
        (self.path, self.contentType, self.text) = (path, contentType, text)
    }

    /// Listens for the duration of a closure, which gets the URL of the page.
    ///
    /// On loopback, only requests to loopback names are answered, as ``HostPolicy`` explains. On another address, the page
    /// is public, under every name.
    ///
    /// - Parameters:
    ///   - host: The address or name to listen on.
    ///   - port: The port; 0 selects a free one.
    ///   - isPublic: Whether requests may have any `Host` header.
    ///   - clock: The clock of the answers.
    ///   - body: Runs while the server listens; its end ends the server.
    /// - Returns: The result of the closure.
    /// - Throws: ``EmulatorError`` or the error of the closure.
    package func serve<Result: Sendable>(
        host: String,
        port: Int,
        isPublic: Bool,
        clock: any TripClock,
        body: @escaping @Sendable (_ url: String) async throws -> Result
    ) async throws -> Result {
        let page = self
        return try await OnePortServer.run(
            host: host,
            port: port,
            policy: HostPolicy(listeningOn: host, acceptsEveryName: isPublic),
            clock: clock,
            answer: { await page.answer($0) },
            body: { try await body($0 + page.path) }
        )
    }

    private func answer(_ request: PlainRequest) async -> PlainResponse {
        guard request.path == path else { return .error(.noSuchMethod) }
        guard request.method == "GET" else { return .error(.methodNotAllowed) }
        return PlainResponse(
            status: 200,
            body: Array(await text().utf8),
            headers: [("Content-Type", contentType), ("Cache-Control", "no-store")]
        )
    }
}
