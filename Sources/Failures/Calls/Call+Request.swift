import Foundation
import Runtime

extension Call {
    /// What was sent; its parts are bounded and redacted.
    package struct Request: Sendable, Equatable {
        /// The maximum number of characters of a URL.
        static let longestURL = 4000
        /// The maximum number of headers.
        static let mostHeaders = 40

        /// How it was sent.
        package let medium: Exchange.Medium
        /// The HTTP method; `nil` for a command, a file or a variable.
        package let method: String?
        /// The URL with its query, over gRPC with the path of the method; else the name of the command, the file or the variable.
        package let url: String
        /// The headers with names in lower case; values that may be secret are hidden.
        package let headers: [HeaderField]
        /// The body, over gRPC the message as ProtoJSON; `nil` without one.
        package var body: StoredBody?
        /// The options with which a command connects as the request did; `nil` if it needs none.
        package let options: ConnectionOptions?
    }
}

extension Call.Request {
    /// Creates a request from what was sent.
    ///
    /// - Parameters:
    ///   - method: The HTTP method.
    ///   - url: The URL.
    ///   - medium: HTTP, or gRPC with a message as ProtoJSON.
    ///   - headers: All headers, or those that are known.
    ///   - body: The body.
    ///   - options: The options of the connection.
    package init(
        _ method: String,
        _ url: String,
        over medium: Exchange.Medium = .http,
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        options: ConnectionOptions? = nil
    ) {
        self.init(
            medium: medium,
            method: EvidenceText.line(method, limit: 20),
            url: Self.shown(url),
            headers: Self.shown(headers),
            body: body.isEmpty ? nil : StoredBody(redacting: body),
            options: options
        )
    }

    /// Creates a request of this program: only its URL and its body can have secrets.
    package init(
        own method: String,
        _ url: String,
        over medium: Exchange.Medium = .http,
        headers: [HeaderField] = ownHeaders,
        body: [UInt8] = [],
        options: ConnectionOptions?
    ) {
        self.init(
            medium: medium,
            method: method,
            url: Self.shown(url),
            headers: headers,
            body: body.isEmpty ? nil : StoredBody(redacting: body),
            options: options
        )
    }

    /// Creates the request that an exchange describes: without the values of its headers and its body.
    package init(_ exchange: Exchange) {
        let line = exchange.request.line.split(separator: " ", maxSplits: 1).map(String.init)
        let hasMethod = line.count == 2 && [.http, .grpc].contains(exchange.medium)
        let bytes = exchange.request.bytes
        self.init(
            medium: exchange.medium,
            method: hasMethod ? line[0] : nil,
            url: hasMethod ? line[1] : exchange.request.line,
            headers: exchange.request.headerNames.map { HeaderField(name: $0, value: Self.hidden) },
            body: bytes == 0 ? nil : StoredBody([], ofSize: bytes, isCut: true),
            options: exchange.connection?.options
        )
    }

    /// Creates a request of a command, a file or a variable with a name for display.
    package init(ofSource name: String, _ medium: Exchange.Medium) {
        self.init(
            medium: medium,
            method: nil,
            url: EvidenceText.line(name, limit: 500),
            headers: [],
            options: nil
        )
    }

    /// The headers of a request of this program over HTTP.
    package static let ownHeaders = [HeaderField(name: "accept", value: "application/json"), authorization]
    /// The header of a token.
    package static let authorization = HeaderField(name: "authorization", value: "Bearer <token>")
    /// Replaces a value that may be secret.
    static let hidden = "<hidden>"

    /// The names of headers whose values are no secrets, in lower case.
    private static let plain: Set<String> = [
        "accept", "accept-encoding", "accept-language", "connection", "content-encoding", "content-length",
        "content-type", "grpc-accept-encoding", "grpc-encoding", "grpc-timeout", "host", "te", "transfer-encoding",
        "user-agent", "x-goog-api-client", "x-goog-fieldmask", "x-goog-request-params", "x-goog-user-project",
        "x-http-method-override",
    ]

    /// Returns a URL without tokens, of bounded length.
    static func shown(_ url: String) -> String {
        let text = url.withoutTokens.withVisibleControls
        return text.utf8.count > longestURL ? String(text.prefix(longestURL)) : text
    }

    /// Returns headers without secrets, of bounded number and length.
    static func shown(_ headers: [(name: String, value: String)]) -> [HeaderField] {
        headers.prefix(mostHeaders).map { header in
            let name = header.name.lowercased()
            guard name != authorization.name else { return authorization }
            let value = plain.contains(name) ? EvidenceText.line(header.value, limit: 200) : hidden
            return HeaderField(name: EvidenceText.text(name, limit: 60), value: value)
        }
    }

    /// The value of the first header with a name in lower case.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The URL without its query.
    package var target: String { String(url.prefix { $0 != "?" }) }

    /// Whether the connection has no TLS.
    package var isPlaintext: Bool { url.hasPrefix("http:") }

    /// The host and the port of the URL, as gRPC clients write them.
    package var authority: String {
        guard let scheme = url.range(of: "://") else { return "" }
        let host = url[scheme.upperBound...].prefix { $0 != "/" }
        let hasPort = host.split(separator: "]").last?.contains(":") == true
        return hasPort ? String(host) : "\(host):\(isPlaintext ? 80 : 443)"
    }

    /// The path of the URL without its query.
    package var path: String {
        guard let scheme = url.range(of: "://") else { return "" }
        return String(target[scheme.upperBound...].drop { $0 != "/" })
    }

    /// The parameters of the query, decoded, in order.
    package var query: [(name: String, value: String)] {
        (url.split(separator: "?", maxSplits: 1).dropFirst().first ?? "").split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1).map { PercentEncoding.decode($0) ?? String($0) }
            return (parts.first ?? "", parts.dropFirst().first ?? "")
        }
    }
}
