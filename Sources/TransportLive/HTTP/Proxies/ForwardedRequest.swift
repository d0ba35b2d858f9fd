import AsyncHTTPClient
import Failures
import NIOCore
import NIOHTTP1

/// Requests that a proxy forwards, as far as it can read them: those over plain HTTP, and that for a tunnel.
///
/// The library sends them as to a server. This writes the target in the form for proxies (RFC 9112, 3.2.2 and 3.2.3), made of
/// the header `Host`, and the login.
///
/// Written for async-http-client 1.37.0, which opens a tunnel for plain HTTP, too, and whose `HTTP1ProxyConnectHandler`
/// drops the answer of a proxy that opens none. Obsolete once `ProxiedRequestTests` passes with the library's own proxies.
final class ForwardedRequest: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private let authorization: String?
    private let isForTunnel: Bool

    private init(authorization: String?, isForTunnel: Bool) {
        (self.authorization, self.isForTunnel) = (authorization, isForTunnel)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        let host = head.headers.first(name: "host") ?? ""
        if isForTunnel { head.method = .CONNECT }
        head.uri = isForTunnel ? host : "http://\(host)\(head.uri)"
        if let authorization { head.headers.replaceOrAdd(name: "proxy-authorization", value: authorization) }
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }

    /// Adds the handler to a connection to a proxy, which has its encoder and decoder.
    ///
    /// It comes between them: the decoder skips the body of an answer to CONNECT, even of a refusal, so it sees a GET.
    static func add(to channel: any Channel, authorization: String?, isForTunnel: Bool) throws {
        let pipeline = channel.pipeline.syncOperations
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
        let handler = ForwardedRequest(authorization: authorization, isForTunnel: isForTunnel)
        try pipeline.addHandler(handler, position: .before(decoder))
    }
}

extension HTTPTransportRequest {
    /// Returns the request to a host over plain HTTP as it is sent to a proxy.
    func forwarded(to origin: URLOrigin, by proxy: ProxySettings.Proxy) -> HTTPTransportRequest {
        var request = self
        request.url = proxy.url + (origin.path.hasPrefix("/") ? "" : "/") + origin.path
        request.headers.removeAll { $0.name.lowercased() == "host" }
        request.headers.append((name: "Host", value: origin.authority(withPort: origin.port)))
        return request
    }

    /// The request for a tunnel to a host, with a bounded answer; its connection makes it a CONNECT.
    static func tunnel(to origin: URLOrigin, by proxy: ProxySettings.Proxy, timeout: Duration) -> HTTPTransportRequest {
        HTTPTransportRequest(
            url: proxy.url,
            headers: [(name: "Host", value: origin.authority(withPort: origin.port ?? 443))],
            timeout: min(timeout, .seconds(5)),
            maximumResponseBytes: 64 << 10
        )
    }
}

extension URLOrigin {
    fileprivate func authority(withPort port: Int?) -> String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port.map { "\(name):\($0)" } ?? name
    }
}
