/// Sends one HTTP request and brings back its whole answer: the door to the network, as one closure.
///
/// `HTTPTransportLive` has the real one, tests script their own. An implementation verifies TLS, follows no redirect (a
/// token must not travel to another host) and keeps to the limits that a request names. A status of 400 and more is an
/// answer, not an error.
public struct HTTPTransport: Sendable {
    /// Sends a request; throws ``HTTPTransportError`` where no whole answer came.
    public var send: @Sendable (HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse

    /// A transport that is the given closure.
    public init(
        send: @escaping @Sendable (HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse
    ) {
        self.send = send
    }
}

/// One request.
public struct HTTPTransportRequest: Sendable, Equatable {
    /// The method, such as `GET`.
    public var method: String
    /// The absolute URL, percent-encoded.
    public var url: String
    /// Names and values, in order; they may hold secrets and are never printed.
    public var headers: [(name: String, value: String)]
    /// The body; empty for none.
    public var body: [UInt8]
    /// How long everything may take, connecting included, in real time.
    public var timeout: Duration
    /// An answer with a larger body is given up, in bytes.
    public var maximumResponseBytes: Int

    /// A request without a body, until one is set.
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

    /// Whether two requests are the same to the last header.
    public static func == (left: Self, right: Self) -> Bool {
        left.method == right.method && left.url == right.url && left.body == right.body
            && left.timeout == right.timeout && left.maximumResponseBytes == right.maximumResponseBytes
            && left.headers.elementsEqual(right.headers) { $0 == $1 }
    }
}

extension HTTPTransportRequest: CustomStringConvertible, CustomReflectable {
    /// The method and the URL without its query: headers, bodies and queries may hold secrets.
    public var description: String { "\(method) \(url.prefix { $0 != "?" })" }
    /// Shows no more than the description.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// One whole answer.
public struct HTTPTransportResponse: Sendable {
    /// The status, from 100 to 599.
    public var status: Int
    /// Names and values, in order.
    public var headers: [(name: String, value: String)]
    /// The body, decompressed.
    public var body: [UInt8]

    /// An answer of these parts.
    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of the first header of a name, in whatever case it came.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// Why no whole answer came.
public enum HTTPTransportError: Error, Sendable, Equatable {
    /// The URL can't be asked: no scheme, no host, or a scheme that is not http or https.
    case invalidURL
    /// Nobody listens there.
    case refused
    /// The host name is not known, or no name server answered.
    case unknownHost
    /// The TLS handshake failed; the reason is the library's, without secrets.
    case tls(reason: String)
    /// The environment names a proxy that can't be used; the reason says which variable, without the URL.
    case unusableProxy(reason: String)
    /// The request's time was up.
    case timedOut
    /// The connection was closed or reset before an answer had begun.
    case connectionLost
    /// The answer broke off before it was complete.
    case cutOff
    /// The body is larger than the request allowed.
    case tooLarge(limit: Int)
    /// What came is not HTTP.
    case malformed(reason: String)
    /// The task was cancelled.
    case cancelled
    /// Something else; the reason is the library's, without secrets.
    case other(reason: String)
}
