import Failures
import FleetWire
import Foundation
package import Runtime
import TripModel

/// The parts of a request that the routes use.
package struct PlainRequest: Sendable {
    /// The method in upper case.
    var method: String
    /// The percent-decoded path segments; empty if one is invalid.
    var segments: [String]
    /// The percent-decoded names and values of the query.
    var query: [(name: String, value: String)]
    /// The `Authorization` header.
    package var authorization: String?
    /// The body.
    var body: [UInt8]
    /// The path as received, percent-encoded.
    var path: String
    /// The `Content-Type` header.
    var contentType: String?
    /// The IP address of the client; `nil` without a network.
    var peer: String?
    /// The first values of the headers ``readHeaders``, by name in lower case.
    var headers: [String: String]
    /// The call over gRPC that it was made from; `nil` over REST.
    var remote: Remote?

    /// The names of the further headers that the routes read.
    static let readHeaders =
        [EndpointSecret.header.lowercased(), fieldMaskHeader, Authorizer.quotaProjectHeader, "host", "user-agent"]
        + MetadataServer.readHeaders + SubjectSources.readHeaders

    /// The secret for a token endpoint that signs with real keys.
    var secret: String? { headers[EndpointSecret.header.lowercased()] }
    /// The `X-Goog-FieldMask` header.
    var fieldMask: String? { headers[Self.fieldMaskHeader] }
    /// The project that is to pay for the call, from the `X-Goog-User-Project` header.
    var quotaProject: String? { headers[Authorizer.quotaProjectHeader] }

    /// Parses a request target; `nil` if it is not a path.
    package init?(
        method: String,
        target: String,
        authorization: String?,
        body: [UInt8],
        contentType: String? = nil,
        headers: [String: String] = [:]
    ) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = parts.first, path.hasPrefix("/") else { return nil }
        var segments: [String] = []
        for segment in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let decoded = PercentEncoding.decode(segment) else { return nil }
            segments.append(decoded)
        }
        var query: [(String, String)] = []
        for field in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
            let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decodedParameter(pair[0]),
                let value = Self.decodedParameter(pair.count > 1 ? pair[1] : "")
            else { return nil }
            query.append((name, value))
        }
        self.method = method
        self.path = String(path)
        self.contentType = contentType
        self.headers = headers
        self.segments = segments
        self.query = query
        self.authorization = authorization
        self.body = body
    }

    /// Decodes a part of a query, in which a plus sign is a space, as in forms; Google's Python client writes spaces so.
    private static func decodedParameter(_ text: Substring) -> String? {
        PercentEncoding.decode(text.utf8.contains(UInt8(ascii: "+")) ? Substring(text.replacing("+", with: " ")) : text)
    }

    /// Whether the system parameter `$alt` requests numbers instead of the names of enum values.
    ///
    /// Throws INVALID_ARGUMENT for another format than JSON.
    var requestsNumbersOfEnums: Bool {
        get throws(ServiceError) {
            guard let format = query.last(where: { ["$alt", "alt"].contains($0.name) })?.value else { return false }
            let parts = format.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.first == "json", parts.dropFirst().allSatisfy({ $0.hasPrefix("enum-encoding=") }) else {
                throw .invalidArgument("$alt: json or json;enum-encoding=int is expected")
            }
            return parts.contains("enum-encoding=int")
        }
    }

    /// Returns the last value of a parameter; the name may be in camelCase or snake_case.
    func parameter(_ name: String) -> String? {
        query.last { FieldMask.camelCase($0.name) == name }?.value
    }
}

/// An answer before it is written to the connection.
package struct PlainResponse: Sendable {
    /// How much of the answer is sent, and how fast.
    struct Delivery: Sendable, Equatable {
        /// The fraction of the body that is sent before the connection is closed; `nil` sends nothing at all.
        var share: Double? = 1
        /// The time over which the body is sent.
        var duration = Duration.zero
    }

    package let status: Int
    var body: [UInt8]
    /// Further headers.
    var headers: [(name: String, value: String)] = []
    /// The value of the `Date` header if it differs from the clock's time.
    var date: Date?
    var delivery = Delivery()
    /// The faults that have changed the answer; a header reports them to clients.
    var fault: InjectedFault?

    /// The further headers with the header about ``fault``.
    var allHeaders: [(name: String, value: String)] {
        headers + (fault.map { [(InjectedFault.header, $0.headerValue)] } ?? [])
    }

    /// Creates an error answer in Google's format.
    static func error(_ error: ServiceError) -> PlainResponse {
        PlainResponse(status: error.answer.httpStatus, body: error.body)
    }
}

/// One page of text over HTTP, such as the metrics of a program.
package struct TextPage: Sendable {
    /// The path.
    package var path: String
    /// The value of the header `Content-Type`.
    package var contentType: String
    /// Returns the text for each request.
    package var text: @Sendable () async -> String

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
