import Failures
import FleetWire
import Foundation
import Runtime
import Synchronization
import Testing
import TransportLive
import TripFeed
import TripModel
import TripTestSupport

/// Invalid answers over gRPC, over real connections with the real transport.
@Suite("Hostile gRPC", .serialized, .ends(within: .longTest))
struct HostileGRPCTests {
    @Test func `each of 300 calls over gRPC ends as an answer or a failure within its time limit`() async throws {
        // In a process of its own, which a trap ends, and which other tests don't slow down.
        try await SeparateProcess.run { try await HostileGRPCRun.check() }
    }
}

/// Makes calls of servers that answer as no gRPC service should.
///
/// `HOSTILE_GRPC_SEED` repeats one of them, `HOSTILE_GRPC_CALLS` sets their number.
private enum HostileGRPCRun {
    /// Each has a server and a transport of its own.
    private static let workers = 4
    private static let calls = environment["HOSTILE_GRPC_CALLS"].flatMap { Int($0) } ?? 300
    private static let environment = ProcessInfo.processInfo.environment

    static func check() async throws {
        let seed = environment["HOSTILE_GRPC_SEED"].flatMap { UInt64($0) }
        let seeds = seed.map { [$0] } ?? (0..<UInt64(calls)).map { 9_000_000 + $0 * 31 }
        let counts = try await withThrowingTaskGroup(of: [String: Int].self) { group in
            for worker in 0..<workers {
                let own = seeds.indices.filter { $0 % workers == worker }.map { seeds[$0] }
                group.addTask { try await run(own) }
            }
            return try await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
        #expect(counts.values.reduce(0, +) == seeds.count)
        if seed == nil {
            // There were both good answers and broken ones.
            for code in ["trip", "TRANSPORT_MALFORMED"] { #expect(counts[code, default: 0] > calls / 100, "\(code)") }
        }
        print(
            "Hostile gRPC: \(counts.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))"
        )
    }

    private static func run(_ seeds: [UInt64]) async throws -> [String: Int] {
        let current = Locked<UInt64>(0)
        let server = CannedServer.Behaviour.converseInBytes { bytes in
            var reply = bytes.starts(with: Array("PRI * HTTP/2.0".utf8)) ? Frame.settings() : []
            for stream in opened(in: bytes) {
                var calls = HostileCalls(seed: current.withLock { $0 }, stream: stream)
                let answer = calls.answer()
                reply += answer.bytes
                if answer.closes { return (reply, true) }
            }
            return (reply, false)
        }
        let request = JourneyRequest(provider: try ProviderID("p"), journey: try .trip(TripID("t")))
        return try await CannedServer.run(server) { server in
            var options = GRPCClientOptions()
            options.deadline = .milliseconds(500)
            let endpoint = try ServiceEndpoint("http://127.0.0.1:\(server.port)", over: .grpc)
            return try await withGRPCTransport(to: endpoint, options) { transport in
                var counts: [String: Int] = [:]
                for seed in seeds {
                    current.withLock { $0 = seed }
                    let began = ContinuousClock.now
                    counts[await outcome(of: request, transport), default: 0] += 1
                    // Ten times the deadline, because the machine may be busy.
                    let duration = began.duration(to: .now)
                    if duration > .seconds(5) { Issue.record("HOSTILE_GRPC_SEED \(seed): \(duration)") }
                }
                return counts
            }
        }
    }

    /// The code of what a poll makes of an answer.
    private static func outcome(of request: JourneyRequest, _ transport: FleetTransport) async -> String {
        do throws(Failure) {
            let answer = try await transport.send(.getTrip(request), "Bearer t")
            switch FleetClient.outcome(of: answer, for: request, now: HurriedClock.start) {
            case .success: return "trip"
            case .failure(let failure): return failure.nameInJSON
            }
        } catch {
            return error.nameInJSON
        }
    }

    /// The streams that HEADERS frames of a client open.
    private static func opened(in bytes: [UInt8]) -> [UInt32] {
        var rest = bytes[...]
        if rest.starts(with: Array("PRI * HTTP/2.0".utf8)) { rest = rest.dropFirst(24) }
        var streams: [UInt32] = []
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let number = { (bytes: ArraySlice<UInt8>) in bytes.reduce(0) { $0 << 8 | UInt32($1) } }
            if head[3] == Frame.headersKind { streams.append(number(head[5...8])) }
            rest = rest.dropFirst(9 + Int(number(head[0...2])))
        }
        return streams
    }
}
