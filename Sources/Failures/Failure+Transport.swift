/// The failures of a transport: no complete answer was received.
extension Failure {
    /// The URL is unusable: no scheme, no host, or a scheme other than http and https.
    public static let invalidURL = Failure(.invalidURL)
    /// The connection was refused.
    public static let refused = Failure(.refused)
    /// The host name is unknown, or no name server answered.
    public static let unknownHost = Failure(.unknownHost)
    /// The request timed out.
    public static let timedOut = Failure(.timedOut)
    /// The connection was closed or reset before an answer began.
    public static let connectionLost = Failure(.connectionLost)
    /// The connection was closed before the answer was complete.
    public static let cutOff = Failure(.cutOff)
    /// The task was cancelled.
    public static let cancelled = Failure(.cancelled)

    /// The TLS handshake failed; the reason comes from the library and contains no secrets.
    public static func tls(reason: String) -> Failure { Failure(.tls, reason: reason) }

    /// Another protocol is spoken at this port: no TLS, or no HTTP/2 for gRPC.
    public static func wrongPort(reason: String) -> Failure { Failure(.wrongPort, reason: reason) }

    /// The environment names an unusable proxy; the reason contains the variable but not the URL.
    public static func unusableProxy(reason: String) -> Failure { Failure(.unusableProxy, reason: reason) }

    /// The proxy could not be reached or opened no connection; the reason names its variable and its host.
    public static func proxyFailed(reason: String) -> Failure { Failure(.proxyFailed, reason: reason) }

    /// The body exceeds the request's limit in bytes.
    public static func tooLarge(limit: Int) -> Failure { Failure(.tooLarge).with(.sizeLimit, limit) }

    /// The answer is not HTTP.
    public static func malformed(reason: String) -> Failure { Failure(.malformed, reason: reason) }

    /// Another error; the reason comes from the library and contains no secrets.
    public static func other(reason: String) -> Failure { Failure(.other, reason: reason) }

    private init(_ code: FailureCode, reason: String) { self = Failure(code).with(.reason, reason) }

    /// Why it failed, in the words of a library; `nil` if the code says it.
    public var reason: String? { self[.reason] }
}
