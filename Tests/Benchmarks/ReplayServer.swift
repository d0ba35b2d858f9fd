import Foundation
import NIOCore
import NIOPosix

/// A server that answers every GetTrip with the same trip, as fast as it can.
///
/// The feed is measured against it.
enum ReplayServer {
    /// Listens on a free loopback port, prints the port, and answers until the process is ended.
    static func serve() async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 4096)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        say("\(channel.localAddress?.port ?? 0)")
        try await channel.closeFuture.get()
    }

    /// Starts this program as a server, passes its port to the body, and ends it afterwards.
    static func withServer<Result>(_ body: (Int) async throws -> Result) async throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["feed", "serve"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        defer { process.terminate() }
        let line = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        return try await body(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0)
    }

    /// Treats each read as one request, because clients send their few headers in one packet.
    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let request = String(buffer: unwrapInboundIn(data))
            guard let start = request.range(of: "/trips/")?.upperBound else { return context.close(promise: nil) }
            let body = ReplayServer.body(of: request[start...].prefix { !" ?".contains($0) })
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: head + body)), promise: nil)
        }
    }

    /// A trip on its way to the drop-off, as GetTrip returns it to a client that already knows the route.
    private static func body(of trip: Substring) -> String {
        """
        {"name":"providers/p/trips/\(trip)","vehicleId":"veh-204","tripStatus":"ENROUTE_TO_DROPOFF","tripType":"EXCLUSIVE",\
        "pickupPoint":{"point":{"latitude":51.0553172,"longitude":3.7213445}},"pickupTime":"2026-03-14T08:23:06.283Z",\
        "dropoffPoint":{"point":{"latitude":51.0358911,"longitude":3.7102936}},"dropoffTime":"2026-03-14T08:32:20.9Z",\
        "etaToFirstWaypoint":"2026-03-14T08:32:20.9Z","remainingDistanceMeters":1528,"numberOfPassengers":2,\
        "remainingWaypoints":[{"location":{"point":{"latitude":51.0358911,"longitude":3.7102936}},"tripId":"\(trip)",\
        "waypointType":"DROP_OFF_WAYPOINT_TYPE","distanceMeters":1528,"eta":"2026-03-14T08:32:20.9Z"}],\
        "currentRouteSegmentVersion":"2026-03-14T08:23:06Z","remainingWaypointsVersion":"2026-03-14T08:23:06Z",\
        "lastLocation":{"location":{"latitude":51.048802,"longitude":3.7177205},"heading":206,"speed":7.9,\
        "latlngAccuracy":3.0,"updateTime":"2026-03-14T08:26:08Z","serverTime":"2026-03-14T08:26:08.655Z"}}
        """
    }
}
