import Failures
import NIOCore
import NIOPosix
import Runtime
import Testing
import TripTestSupport

@testable import FleetEmulator

/// The limits that the gRPC port imposes on clients, as the REST port does.
@Suite("gRPC limits", .ends(within: .quickTest))
struct LimitTests {
    /// Runs a listener without TLS whose limits a test changes.
    private static func listening(
        isPlaintext: Bool = true,
        _ change: (inout ListenerLimits) -> Void,
        body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        var options = GRPCOptions()
        options.isPlaintext = isPlaintext
        change(&options.limits)
        let engine = HTTPTransport { _ throws(Failure) in HTTPTransportResponse(status: 200) }
        try await GRPCListener.run(options, engine: engine) { address in
            try await body(try #require(address.target.split(separator: ":").last.flatMap { Int($0) }))
        }
    }

    private static func connect(_ port: Int) async throws -> any Channel {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port).get()
    }

    /// The preface of a client with its settings.
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + Frame.settings()

    @Test func `a silent connection is closed`() async throws {
        try await Self.listening {
            $0.headTime = .milliseconds(200)
        } body: { port in
            // Ends only because the server closes the connection; the suite has a time limit.
            try await Self.connect(port).closeFuture.get()
        }
    }

    @Test(arguments: [true, false])
    func `a connection that does not begin HTTP/2 in time is closed`(isPlaintext: Bool) async throws {
        // The first bytes of a TLS handshake, or of HTTP/2, and then one more from time to time.
        let begin: [UInt8] = isPlaintext ? Array(Self.preface.prefix(20)) : [22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]
        try await Self.listening(isPlaintext: isPlaintext) {
            $0.handshakeTime = .milliseconds(300)
        } body: { port in
            let channel = try await Self.connect(port)
            try await channel.writeAndFlush(ByteBuffer(bytes: begin)).get()
            try await channel.closeFuture.get()
        }
    }

    @Test func `a connection whose client has announced its end is closed, however often it says so`() async throws {
        try await Self.listening {
            $0.handshakeTime = .milliseconds(300)
        } body: { port in
            let channel = try await Self.connect(port)
            try await channel.writeAndFlush(ByteBuffer(bytes: Self.preface)).get()
            let storm = channel.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(20)) { _ in
                channel.writeAndFlush(ByteBuffer(bytes: Frame.goAway(last: 0)), promise: nil)
            }
            try await channel.closeFuture.get()
            storm.cancel()
        }
    }

    @Test func `a connection without calls is closed, whatever else its client sends`() async throws {
        try await Self.listening {
            ($0.headTime, $0.handshakeTime) = (.milliseconds(300), .milliseconds(100))
        } body: { port in
            let channel = try await Self.connect(port)
            try await channel.writeAndFlush(ByteBuffer(bytes: Self.preface)).get()
            let storm = channel.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(20)) { _ in
                channel.writeAndFlush(ByteBuffer(bytes: Frame.settings()), promise: nil)
            }
            try await channel.closeFuture.get()
            storm.cancel()
        }
    }

    @Test func `over the maximum, an idle connection is closed at once`() async throws {
        try await Self.listening(isPlaintext: false) {
            ($0.connections, $0.headTime, $0.handshakeTime) = (2, .seconds(3600), .seconds(3600))
        } body: { port in
            var channels: [any Channel] = []
            for _ in 0..<3 { channels.append(try await Self.connect(port)) }
            // The listener may take them in another order. The other limits are longer than the time limit of the suite.
            let closed = channels.map(\.closeFuture)
            await withTaskGroup(of: Void.self) { group in
                for future in closed { group.addTask { _ = try? await future.get() } }
                await group.next()
                for channel in channels { channel.close(promise: nil) }
            }
        }
    }

    @Test func `the defaults are those of REST`() {
        #expect(GRPCOptions().limits == ListenerLimits())
    }
}
