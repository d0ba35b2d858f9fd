import AsyncHTTPClient
package import Failures
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL

/// What decides how connections are made: the proxies, the trusted certificates and the addresses of hosts.
package struct ConnectionSettings: Sendable, Equatable {
    /// The proxies.
    package var proxies = ProxySettings()
    /// The certificates that are trusted instead of the system's; `nil` for the system's.
    package var roots: TrustedRoots?
    /// The addresses of hosts that are not looked up; of several for the same host and port, the last address counts.
    package var addresses: [HostAddress] = []

    /// Returns the address of a host that is not looked up; `nil` for a host that is looked up.
    package func address(of origin: URLOrigin) -> HostAddress? {
        address(of: origin.host, port: origin.port ?? (origin.isSecure ? 443 : 80))
    }

    /// Returns the address of a host, in lower case, and a port.
    func address(of host: String, port: Int) -> HostAddress? {
        addresses.last { $0.host == host && $0.port == port }
    }

    /// Returns the options with which a command connects to a host as these settings do; `nil` if it needs none.
    ///
    /// A command reads the proxies of the environment itself, with their logins.
    package func options(for origin: URLOrigin) -> ConnectionOptions? {
        // The request reports an unusable proxy.
        let proxy = try? proxies.proxy(for: origin)
        return ConnectionOptions([
            .proxy: proxy.flatMap { $0.isOption ? $0.url : nil },
            .cacert: origin.isSecure ? roots?.path : nil,
            .resolve: proxy == nil ? address(of: origin)?.text : nil,
        ])
    }
}

extension HTTPClient.Configuration {
    /// Adds guards to the pipelines of all connections, so that no server input can crash the process.
    ///
    /// The HTTP library checks some server input with preconditions, such as a status below 100 or a stream opened by the
    /// server. Its debugging initializers are the only access to its pipelines. They run when a connection or a stream is set
    /// up, before the first request is written. Each guard names the version, the fault and the test that shows it.
    ///
    /// - Parameter hosts: The hosts that were requested so far: the initializers do not know the host of their connection.
    mutating func addGuards(hosts: RequestedHosts) {
        http1_1ConnectionDebugInitializer = { channel in
            channel.guarded {
                try hosts.check(channel)
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                let bytes = AnswerByteWatch()
                try pipeline.addHandler(bytes, position: .before(decoder))
                try pipeline.addHandler(HTTP1AnswerGuard(bytes), position: .after(decoder))
            }
        }
        http2ConnectionDebugInitializer = { channel in
            channel.guarded {
                try hosts.check(channel)
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.handler(type: NIOHTTP2Handler.self)
                try pipeline.addHandler(HTTP2ConnectionGuard(), position: .after(decoder))
            }
        }
        http2StreamChannelDebugInitializer = { channel in
            channel.guarded { try channel.pipeline.syncOperations.addHandler(HTTP2AnswerGuard(), position: .first) }
        }
    }
}

extension Channel {
    /// Runs a closure on the event loop, where the library calls its initializers; closes the channel if it throws.
    fileprivate func guarded(_ body: () throws -> Void) -> EventLoopFuture<Void> {
        do {
            try body()
            return eventLoop.makeSucceededVoidFuture()
        } catch {
            // Close the channel later, when the library has removed the connection. The connection factory of
            // async-http-client 1.37.0 does not close one that an initializer refused.
            eventLoop.execute { self.close(promise: nil) }
            return eventLoop.makeFailedFuture(error)
        }
    }
}
