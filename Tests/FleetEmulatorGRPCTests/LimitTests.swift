import FleetEmulator
import HTTPTransport
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing
import TripTestSupport

@testable import FleetEmulatorGRPC

/// The limits that the gRPC port imposes on clients, as the REST port does.
@Suite("gRPC limits", .ends(within: .minutes(10)))
struct LimitTests {
    /// Counts the reads that reach the socket.
    private final class Reads: ChannelOutboundHandler {
        typealias OutboundIn = Never

        var count = 0

        func read(context: ChannelHandlerContext) {
            count += 1
            context.read()
        }
    }

    @Test func `further connections wait until others are closed`() throws {
        let reads = Reads()
        let loop = EmbeddedEventLoop()
        let listener = EmbeddedChannel(handlers: [reads, ConnectionLimit(2)], loop: loop)
        let connections = (0..<3).map { _ in EmbeddedChannel(loop: loop) }
        listener.pipeline.read()
        #expect(reads.count == 1)
        for connection in connections.prefix(2) {
            listener.pipeline.fireChannelRead(connection)
            listener.pipeline.read()
        }
        // The second connection is the last one: its read did not get through.
        #expect(reads.count == 2)
        connections[0].close(promise: nil)
        loop.run()
        #expect(reads.count == 3)
        listener.pipeline.fireChannelRead(connections[2])
        listener.pipeline.read()
        #expect(reads.count == 3)
        connections[1].close(promise: nil)
        connections[2].close(promise: nil)
        loop.run()
        #expect(reads.count == 4)
        _ = try listener.finish(acceptAlreadyClosed: true)
    }

    @Test func `an idle connection is closed`() async throws {
        var options = GRPCOptions()
        options.isPlaintext = true
        options.limits.headTime = .milliseconds(200)
        let engine = HTTPTransport { _ throws(HTTPTransportError) in HTTPTransportResponse(status: 200) }
        try await GRPCListener.run(options, engine: engine) { address in
            let port = try #require(address.target.split(separator: ":").last.flatMap { Int($0) })
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: port).get()
            // Ends only because the server closes the connection; the suite has a time limit.
            try await channel.closeFuture.get()
        }
    }

    @Test func `the defaults are those of REST`() {
        #expect(GRPCOptions().limits == ListenerLimits())
    }
}
