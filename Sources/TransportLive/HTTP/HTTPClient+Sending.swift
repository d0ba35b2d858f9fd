import AsyncHTTPClient
import Failures
import NIOCore
import NIOHTTP1

extension HTTPClient {
    /// Sends a request once.
    func send(
        _ request: HTTPTransportRequest,
        _ collector: AnswerCollector,
        _ deadline: NIODeadline
    ) async throws -> HTTPTransportResponse {
        var headers = HTTPHeaders(request.headers)
        // By itself, swift-nio-extras 1.35.2 puts deflate first, which some servers send without zlib's wrapper (RFC 9110,
        // 8.4.1.2).
        if !headers.contains(name: "accept-encoding") { headers.add(name: "accept-encoding", value: "gzip, deflate") }
        let message = try HTTPClient.Request(
            url: request.url,
            method: HTTPMethod(rawValue: request.method),
            headers: headers,
            body: request.body.isEmpty ? nil : .bytes(request.body)
        )
        let call = execute(request: message, delegate: collector, deadline: deadline)
        return try await withTaskCancellationHandler {
            try await call.get()
        } onCancel: {
            call.cancel()
        }
    }
}

extension Failure {
    /// Converts the answer of a proxy that does not open a tunnel.
    init(refusal answer: Exchange.Answer, by proxy: ProxySettings.Proxy) {
        let status = answer.status ?? 0
        self =
            status == 407
            ? .loginRequired(by: proxy)
            : .proxyFailed(reason: "\(proxy.name) does not open a connection to the host (HTTP \(status))")
    }

    /// Converts an error of a proxy; `nil` if the proxy is not the cause, as far as the error shows.
    init?(_ error: any Error, of proxy: ProxySettings.Proxy) {
        let reason: String
        switch (error as? HTTPClientError, Failure(error, limit: 0).code) {
        case (.proxyAuthenticationRequired?, _):
            self = .loginRequired(by: proxy)
            return
        case (.invalidProxyResponse?, _): reason = "does not open a connection to the host"
        case (.connectTimeout?, _), (.httpProxyHandshakeTimeout?, _): reason = "does not answer"
        // The proxy is the only host that is looked up and connected to.
        case (_, .refused): reason = "refuses connections"
        case (_, .unknownHost): reason = "has an unknown host name"
        default: return nil
        }
        self = .proxyFailed(reason: "\(proxy.name) \(reason)")
    }

    /// The error for status 407.
    static func loginRequired(by proxy: ProxySettings.Proxy) -> Failure {
        let reason =
            if proxy.source == ProxySettings.option {
                "requires a login (HTTP 407): set https_proxy to http://USER:PASSWORD@host:port instead"
            } else {
                "\(proxy.user == nil ? "requires a login" : "rejects the login in that variable")"
                    + " (HTTP 407): use http://USER:PASSWORD@host:port"
            }
        return .unusableProxy(reason: "\(proxy.name) \(reason)")
    }
}
