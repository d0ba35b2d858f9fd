/// Sends one HTTP request and returns the complete answer; a closure that abstracts the network.
///
/// `HTTPTransportLive` implements it; tests use scripted answers. An implementation verifies TLS, enforces the limits of a
/// request and does not follow redirects, because a token must not be sent to another host. A status of 400 or more is an
/// answer, not an error.
package struct HTTPTransport: Sendable {
    /// Sends a request; throws a failure of a transport, with its ``Failures/Exchange``, if no complete answer was received.
    package var send: @Sendable (HTTPTransportRequest) async throws(Failure) -> HTTPTransportResponse
}

/// An HTTP request.
public struct HTTPTransportRequest: Sendable, Equatable {
    /// The method, such as `GET`.
    public var method: String
    /// The absolute URL, percent-encoded.
    public var url: String
    /// Names and values in order; they may contain secrets and must not be printed.
    public var headers: [(name: String, value: String)]
    /// The body; empty for no body.
    public var body: [UInt8]
    /// The timeout for the whole exchange including the connection, in real time.
    public var timeout: Duration
    /// The maximum size of the answer's body in bytes; a larger answer is an error.
    public var maximumResponseBytes: Int
    /// Whether the proxies of the environment are used; servers that belong to this machine's cloud are asked without.
    package var usesProxies = true

    /// Creates a request; the body is empty by default.
    public init(
        method: String = "GET",
        url: String,
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        timeout: Duration,
        maximumResponseBytes: Int = 4 << 20
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.maximumResponseBytes = maximumResponseBytes
    }

    /// Compares all parts, including the order of headers.
    public static func == (left: Self, right: Self) -> Bool {
        left.method == right.method && left.url == right.url && left.body == right.body
            && left.timeout == right.timeout && left.usesProxies == right.usesProxies
            && left.maximumResponseBytes == right.maximumResponseBytes
            && left.headers.elementsEqual(right.headers) { $0 == $1 }
    }
}

extension HTTPTransportRequest: CustomStringConvertible, CustomReflectable {
    /// The method and the URL without its query: headers, bodies and queries may contain secrets.
    public var description: String { "\(method) \(url.prefix { $0 != "?" })" }
    /// A mirror with the description only.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// A complete HTTP answer.
public struct HTTPTransportResponse: Sendable {
    /// The status, 100 to 599.
    public var status: Int
    /// Names and values in order.
    public var headers: [(name: String, value: String)]
    /// The decompressed body.
    public var body: [UInt8]
    /// What was sent and what came back, as evidence; `nil` if the transport does not describe it.
    package var exchange: Exchange?

    /// Creates an answer.
    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.init(status: status, headers: headers, body: body, exchange: nil)
    }

    /// Creates an answer with its evidence.
    package init(
        status: Int,
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        exchange: Exchange?
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.exchange = exchange
    }

    /// Returns the value of the first header with a name, ignoring case.
    public func header(_ name: String) -> String? {
        // The lengths distinguish most names without copies in lower case.
        headers.first { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name.lowercased() }?.value
    }
}
