import AsyncHTTPClient
import HTTPTransport
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL

extension HTTPClient.Configuration {
    /// Puts guards into the pipelines of all connections, so that no bytes of a server end the process.
    ///
    /// The HTTP library checks what a server sends by preconditions in some places, such as a status below 100 or a stream that
    /// the server opens. Its initializers for debugging are the one way into its pipelines: they run when a connection or a
    /// stream is complete and before the first request is written to it.
    mutating func addGuards() {
        http1_1ConnectionDebugInitializer = { channel in
            channel.guarded {
                try CertificateRules.check(channel)
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                try pipeline.addHandler(HTTP1AnswerGuard(), position: .after(decoder))
            }
        }
        http2ConnectionDebugInitializer = { channel in
            channel.guarded {
                try CertificateRules.check(channel)
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
    /// Runs a body on the event loop, where the library calls its initializers, and closes the channel where it throws.
    fileprivate func guarded(_ body: () throws -> Void) -> EventLoopFuture<Void> {
        do {
            try body()
            return eventLoop.makeSucceededVoidFuture()
        } catch {
            // Later, when the library has forgotten the connection: it does not close one that its initializer refused.
            eventLoop.execute { self.close(promise: nil) }
            return eventLoop.makeFailedFuture(error)
        }
    }
}

extension CertificateRules {
    /// Throws ``HTTPTransportError/tls(reason:)`` where a connection's certificate breaks a rule.
    fileprivate static func check(_ channel: any Channel) throws {
        // Without this handler the connection is plain.
        guard let handler = try? channel.pipeline.syncOperations.handler(type: NIOSSLHandler.self) else { return }
        guard let certificate = handler.peerCertificate else {
            throw HTTPTransportError.tls(reason: "the server has no certificate")
        }
        if let fault = fault(of: certificate) { throw HTTPTransportError.tls(reason: fault) }
    }
}
