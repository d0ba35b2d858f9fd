import Failures
import FleetEmulator
import Foundation
import NIOCore
import NIOEmbedded
import NIOPosix
import Synchronization
import Testing
import TripTestSupport

/// Which connections a listener closes when there are too many.
@Suite("Open connections", .ends(within: .longTest))
struct OpenConnectionsTests {
    /// Connections of one listener that can be closed.
    private final class Scene: Sendable {
        let connections = OpenConnections(maximum: 2)
        let closed = Mutex<[Int]>([])

        func open(_ number: Int, _ channel: EmbeddedChannel) {
            connections.add(channel) { [self] in closed.withLock { $0.append(number) } }
        }

        var all: [Int] { closed.withLock { $0 } }
    }

    @Test func `over the maximum, the connection that has been idle longest is closed`() {
        let scene = Scene()
        let channels = (0..<6).map { _ in EmbeddedChannel() }
        scene.open(0, channels[0])
        scene.open(1, channels[1])
        #expect(scene.all.isEmpty)
        scene.open(2, channels[2])
        #expect(scene.all == [0])
        // A call makes the second connection the one that was used last.
        scene.connections.begin(channels[1])
        scene.connections.end(channels[1])
        scene.open(3, channels[3])
        #expect(scene.all == [0, 2])
        // One with a call in progress is not idle.
        scene.connections.begin(channels[1])
        scene.connections.begin(channels[1])
        scene.connections.end(channels[1])
        scene.open(4, channels[4])
        #expect(scene.all == [0, 2, 3])
        // All others are in use: the new one is refused.
        scene.connections.begin(channels[4])
        scene.open(5, channels[5])
        #expect(scene.all == [0, 2, 3, 5])
    }

    @Test func `a closed connection no longer counts`() throws {
        let scene = Scene()
        let channels = (0..<3).map { _ in EmbeddedChannel() }
        scene.open(0, channels[0])
        scene.open(1, channels[1])
        _ = try channels[0].finish(acceptAlreadyClosed: true)
        scene.open(2, channels[2])
        #expect(scene.all.isEmpty)
    }

    @Test func `idle connections do not prevent answers to others, on any port`() async throws {
        var options = EmulatorOptions()
        options.limits.connections = 3
        try await EmulatorScene.run(options: options) { scene in
            for url in [scene.address.fleetEngineURL, scene.address.consumerTokenURL, scene.address.certificatesURL] {
                let port = try #require(
                    URLOrigin(url.replacing("{tripId}", with: "t").replacing("{email}", with: "e"))?.port
                )
                let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                var idle: [any Channel] = []
                for _ in 0..<5 { idle.append(try await bootstrap.connect(host: "127.0.0.1", port: port).get()) }
                // They end because the server closes them; the suite has a time limit.
                for channel in idle.prefix(2) { try await channel.closeFuture.get() }
                let answer = try await RawConnection.exchange(
                    [Array("GET /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)],
                    port: port
                )
                #expect(answer.hasPrefix("HTTP/1.1 4"), "\(answer)")
                for channel in idle { channel.close(promise: nil) }
            }
        }
    }
}
