import Runtime

extension Exchange {
    /// What came back.
    public struct Answer: Sendable, Equatable, Codable {
        /// The HTTP status; `nil` for a command, a file or a variable.
        public let status: Int?
        /// The number of the gRPC status; `nil` over REST.
        public let grpcStatus: Int?
        /// The headers that say who answered and why, with names in lower case, in order of their arrival; see ``ExchangeHeaders``.
        public let headers: [HeaderField]
        /// The media type without parameters, in lower case, such as `text/html`; `nil` if none was given.
        public let mediaType: String?
        /// The content encoding of the body before it was unpacked, such as `gzip`; `nil` if none was given.
        public let encoding: String?
        /// The size of the body in bytes, after it was unpacked.
        public let bytes: Int
        /// The content of the body; `nil` for a successful answer whose body was usable.
        public private(set) var body: Body?
    }
}

extension Exchange.Answer {
    /// Creates the description of an answer over HTTP or gRPC.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - grpcStatus: The number of the gRPC status.
    ///   - headers: All headers.
    ///   - body: The unpacked body. The body of a successful answer is described later, by ``Exchange/describing(body:)``.
    package init(status: Int, grpcStatus: Int? = nil, headers: [(name: String, value: String)], body: [UInt8]) {
        let named = headers.map { ($0.name.lowercased(), $0.value) }
        func value(_ name: String) -> String? { named.first { $0.0 == name }?.1 }
        (self.status, self.grpcStatus) = (status, grpcStatus)
        self.headers = ExchangeHeaders.relevant(named)
        let type = value("content-type").map { Substring($0.utf8.prefix { $0 != UInt8(ascii: ";") }).lowercased() }
        mediaType = type.map { EvidenceText.line($0, limit: 80) }
        encoding = value("content-encoding").map { EvidenceText.line($0.lowercased(), limit: 40) }
        bytes = body.count
        if !(200...299).contains(status) || mediaType == "text/html" { describe(body) }
    }

    /// Creates the description of the output of a command, or the content of a file or a variable, which is not a token.
    package init(content: [UInt8], isUsable: Bool) {
        (status, grpcStatus, headers, mediaType, encoding) = (nil, nil, [], nil, nil)
        bytes = content.count
        if !isUsable { describe(content) }
    }

    /// The answer with the limits of this type, after it was read.
    var bounded: Self {
        Self(
            status: status,
            grpcStatus: grpcStatus,
            headers: ExchangeHeaders.relevant(headers.map { ($0.name.lowercased(), $0.value) }),
            mediaType: mediaType.map { EvidenceText.line($0, limit: 80) },
            encoding: encoding.map { EvidenceText.line($0, limit: 40) },
            bytes: EvidenceText.size(bytes),
            body: body?.bounded
        )
    }

    /// Describes the body.
    mutating func describe(_ body: [UInt8]) { self.body = Exchange.Body(body, mediaType: mediaType) }

    /// Returns the value of the first header with a name in lower case.
    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// The headers that an exchange stores.
package enum ExchangeHeaders {
    /// The maximum number of headers.
    static let most = 32
    /// The maximum number of characters of a value.
    static let longest = 200

    /// The names, in lower case.
    private static let names: Set<String> = [
        "age", "allow", "alt-svc", "cache-control", "cache-status", "cdn-cache", "cf-cache-status", "cf-mitigated",
        "cf-ray", "connection", "content-encoding", "content-length", "content-type", "date", "etag", "expires",
        "grpc-encoding", "grpc-message", "grpc-status", "location", "ngrok-error-code", "proxy-agent",
        "proxy-authenticate", "proxy-status",
        "retry-after",
        "server", "server-timing", "transfer-encoding", "vary", "via", "warning", "www-authenticate", "x-cache",
        "x-iinfo",
        "x-cache-status", InjectedFault.header, "x-powered-by", "x-proxy-cache", "x-request-id", "x-vercel-cache",
        "x-vercel-id",
    ]
    /// The beginnings of names, in lower case.
    private static let prefixes = [
        "akamai-", "x-akamai-", "x-amz-", "x-amzn-", "x-azure-", "x-cdn", "x-cloud-trace-", "x-envoy-", "x-error",
        "x-datadome", "x-fastly-", "x-goog-", "x-kong-", "x-ms-", "x-ratelimit-", "x-served-by", "x-squid-",
        "x-sucuri-",
    ]

    /// Returns the headers of an answer that an exchange stores; the names are in lower case.
    package static func relevant(_ headers: [(name: String, value: String)]) -> [HeaderField] {
        var retained: [HeaderField] = []
        for (name, value) in headers where retained.count < most {
            // The names of this table are no secrets, and say of no value that it is one.
            if names.contains(name) {
                retained.append(HeaderField(name: name, value: shown(value, of: name)))
            } else if prefixes.contains(where: name.hasPrefix) {
                let shown = name.isSecretName ? "<hidden>" : EvidenceText.line(value, limit: longest)
                retained.append(HeaderField(name: EvidenceText.text(name, limit: 60), value: shown))
            }
        }
        return retained
    }

    private static func shown(_ text: String, of name: String) -> String {
        guard name == "location" else { return EvidenceText.line(text, limit: longest) }
        // A query may contain the login that a redirect asks for, or a signature.
        let place = text.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        return EvidenceText.line(String(Substring(place)), limit: longest)
    }
}

/// A header of a request or an answer, of bounded length.
///
/// Secrets are removed where it is made or, from a poll, where it is shown or recorded.
public struct HeaderField: Sendable, Equatable, Codable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a header.
    package init(name: String, value: String) { (self.name, self.value) = (name, value) }
}
