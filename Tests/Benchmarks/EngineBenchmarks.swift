import Failures
import FleetEmulator
import FleetTokens
import Foundation
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import TransportLive
import TripModel

/// Measures the emulator's GetTrip with the same client as a minimal server that uses the same library.
struct EngineBenchmarks {
    private static let rounds = 7
    private static let requests = 4000
    private static let connections = 8
    private let clock = SystemClock()

    func run() async throws {
        let service = FleetService(.world(World(provider: try ProviderID("p"))))
        let clock = clock
        try await Emulator.run(service, keys: try await EmulatorKeys(), options: EmulatorOptions(), clock: clock) {
            address in
            try await withLiveHTTPTransport { transport in
                try await Self.populate(address, transport)
                let trip = HTTPTransportRequest(
                    url: "\(address.fleetEngineURL)/v1/providers/p/trips/tr-1",
                    headers: [("authorization", "Bearer \(try await Self.token(address, transport))")],
                    timeout: .seconds(20)
                )
                try await Self.withHello { port in
                    let hello = HTTPTransportRequest(url: "http://127.0.0.1:\(port)/", timeout: .seconds(20))
                    try await Self.measure(["hello": hello, "GetTrip": trip], transport)
                }
            }
        }
    }

    private static func measure(_ requests: [String: HTTPTransportRequest], _ transport: HTTPTransport) async throws {
        var figures = Figures()
        for _ in 0..<rounds {
            for (name, request) in requests.sorted(by: { $0.key < $1.key }) {
                let time = try await nanoseconds {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for _ in 0..<connections {
                            group.addTask {
                                for _ in 0..<Self.requests / connections {
                                    let response = try await transport.send(request)
                                    precondition(response.status == 200)
                                }
                            }
                        }
                        try await group.waitForAll()
                    }
                }
                figures.add(name, Double(Self.requests) / time * 1e9)
            }
        }
        say("Requests per second, server and client in one process, medians of \(rounds) interleaved rounds")
        figures.print(unit: "/s")
        if let ours = figures.median("GetTrip"), let bare = figures.median("hello") {
            say("  GetTrip / hello: \(String(format: "%.2f", ours / bare)) (aim: at least 0.50)")
        }
    }

    private static func populate(_ address: EmulatorAddress, _ transport: HTTPTransport) async throws {
        let header = [("authorization", "Bearer \(try await address.operatorToken())")]
        let calls = [
            (
                "POST", "vehicles?vehicleId=v-1",
                #"{"vehicleState":2,"supportedTripTypes":[2],"maximumCapacity":4,"vehicleType":{"category":1}}"#
            ),
            (
                "PUT", "vehicles/v-1?updateMask=lastLocation",
                #"{"lastLocation":{"location":{"latitude":51.06,"longitude":3.72}}}"#
            ),
            (
                "POST", "trips?tripId=tr-1",
                #"{"vehicleId":"v-1","tripType":2,"pickupPoint":{"point":{"latitude":51.05,"longitude":3.72}},"dropoffPoint":{"point":{"latitude":51.04,"longitude":3.71}}}"#
            ),
        ]
        for (method, path, body) in calls {
            let response = try await transport.send(
                HTTPTransportRequest(
                    method: method,
                    url: "\(address.fleetEngineURL)/v1/providers/p/\(path)",
                    headers: header,
                    body: [UInt8](body.utf8),
                    timeout: .seconds(20)
                )
            )
            precondition(response.status == 200)
        }
    }

    private static func token(_ address: EmulatorAddress, _ transport: HTTPTransport) async throws -> String {
        struct Answer: Decodable {
            var jwt: String
        }
        let url = address.consumerTokenURL.replacing("{tripId}", with: "tr-1")
        let response = try await transport.send(HTTPTransportRequest(url: url, timeout: .seconds(20)))
        return try JSONDecoder().decode(Answer.self, from: Data(response.body)).jwt
    }

    /// Runs a server with one fixed answer.
    private static func withHello(_ body: @escaping @Sendable (Int) async throws -> Void) async throws {
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let channel = HTTP1Channel(responder: { _, writer, _ in
            var head = HTTPResponse(status: .ok)
            head.headerFields[.contentLength] = "5"
            var body = try await writer.writeHead(head)
            try await body.write(ByteBuffer(string: "hello"))
            try await body.finish(nil)
        })
        let logger = Logger(label: "benchmark", factory: { _ in SwiftLogNoOpLogHandler() })
        let server = Server(
            childChannelSetup: channel,
            configuration: ServerConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { continuation.yield($0.localAddress?.port ?? 0) },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: logger
        )
        let group = ServiceGroup(services: [server], logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            for await port in ports {
                try await body(port)
                break
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}
