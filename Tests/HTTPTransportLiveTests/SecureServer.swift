import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import SwiftASN1
import Synchronization
import X509

/// An HTTPS server on a loopback port of its own, with a certificate of its own for `localhost`, that answers each request
/// with the version of HTTP in which it came.
final class SecureServer: Sendable {
    /// The port.
    let port: Int
    /// The certificate in PEM, which signs itself.
    let certificate: String
    private let opened: Opened

    private final class Opened: Sendable {
        let count = Mutex(0)
    }

    private init(port: Int, certificate: String, opened: Opened) {
        self.port = port
        self.certificate = certificate
        self.opened = opened
    }

    /// The connections that clients have opened so far.
    var connections: Int { opened.count.withLock { $0 } }

    /// Listens as long as a body runs.
    ///
    /// - Parameters:
    ///   - protocols: What it offers by ALPN, such as `h2` and `http/1.1`.
    ///   - body: What is run.
    /// - Returns: What the body returned.
    /// - Throws: What the body throws, and what kept the server from listening.
    static func run<Result: Sendable>(
        offering protocols: [String],
        body: (SecureServer) async throws -> Result
    ) async throws -> Result {
        let (certificate, key) = try selfSigned()
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem))
        )
        configuration.applicationProtocols = protocols
        let context = try NIOSSLContext(configuration: configuration)
        let opened = Opened()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                opened.count.withLock { $0 += 1 }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                }.flatMap {
                    channel.configureCommonHTTPServerPipeline { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(VersionHandler())
                        }
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = SecureServer(port: channel.localAddress?.port ?? 0, certificate: certificate, opened: opened)
        do {
            let result = try await body(server)
            try await channel.close()
            return result
        } catch {
            try await channel.close()
            throw error
        }
    }

    /// A certificate and its key in PEM.
    private static func selfSigned() throws -> (certificate: String, key: String) {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("localhost") }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            // The TLS library looks at the machine's clock: from 2020 to 2050.
            notValidBefore: Date(timeIntervalSince1970: 1_577_836_800),
            notValidAfter: Date(timeIntervalSince1970: 2_524_608_000),
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                SubjectAlternativeNames([.dnsName("localhost")])
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        return (try certificate.serializeAsPEM().pemString, key.pemRepresentation)
    }
}

/// Answers with the version of the request's head.
private final class VersionHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private var version = HTTPVersion.http1_0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): version = head.version
        case .body: break
        case .end:
            let text = "\(version.major).\(version.minor)"
            let headers: HTTPHeaders = ["content-length": "\(text.utf8.count)"]
            context.write(
                wrapOutboundOut(.head(HTTPResponseHead(version: version, status: .ok, headers: headers))),
                promise: nil
            )
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
