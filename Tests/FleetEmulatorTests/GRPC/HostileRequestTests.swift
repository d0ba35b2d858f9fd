import Failures
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@testable import FleetEmulator

/// Requests that no gRPC client should send, over real connections to the real listener.
@Suite("Hostile gRPC requests", .ends(within: .longTest))
struct HostileRequestTests {
    @Test func `after each of 300 groups of calls, the next call is answered, or the connection is closed`()
        async throws
    {
        // In a process of its own, which a trap ends.
        try await SeparateProcess.run { try await HostileRequestRun.check() }
    }
}

/// Sends groups of generated calls.
///
/// `HOSTILE_REQUEST_SEED` repeats one group, `HOSTILE_REQUEST_GROUPS` sets their number.
private enum HostileRequestRun {
    private static let environment = ProcessInfo.processInfo.environment
    private static let groups = environment["HOSTILE_REQUEST_GROUPS"].flatMap { UInt64($0) } ?? 300
    private static let seed = environment["HOSTILE_REQUEST_SEED"].flatMap { UInt64($0) }
    /// The trip of the call that ends a group.
    private static let last = "last-call"

    static func check() async throws {
        var options = GRPCOptions()
        options.isPlaintext = true
        let engine = HTTPTransport { request throws(Failure) in
            let trip = request.url.contains(last) ? last : "other"
            return HTTPTransportResponse(status: 200, body: Array(#"{"name":"providers/p/trips/\#(trip)"}"#.utf8))
        }
        let seeds = seed.map { [$0] } ?? Array(0..<groups)
        try await GRPCListener.run(options, engine: engine) { address in
            let port = try #require(address.target.split(separator: ":").last.flatMap { Int($0) })
            var answered = 0
            for seed in seeds {
                var requests = HostileRequests(seed: seed, host: "localhost:\(port)")
                let answer: String
                do {
                    answer = try await RawConnection.exchange(requests.group(endingWith: last), port: port) {
                        $0.contains(last)
                    }
                } catch {
                    Issue.record("HOSTILE_REQUEST_SEED \(seed): \(error)")
                    return
                }
                if answer.contains(last) { answered += 1 }
            }
            // A group that leaves the connection intact reaches the library and the engine.
            #expect(answered * 5 > seeds.count || seed != nil, "\(answered) of \(seeds.count)")
        }
    }
}

/// Generates the bytes of a client; the same seed gives the same bytes.
private struct HostileRequests {
    private typealias Field = (String, String)

    private static let service = "/maps.fleetengine.v1.TripService/"
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    private let host: String
    private var random: SeededGenerator

    init(seed: UInt64, host: String) {
        (random, self.host) = (SeededGenerator(seed: seed), host)
    }

    private mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &random) }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[roll(values.count)] }

    private mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(roll(256)) } }

    /// Returns the parts of a connection: some calls, and a good one.
    mutating func group(endingWith trip: String) -> [[UInt8]] {
        var parts = [Self.preface + Frame.settings()]
        var stream: UInt32 = 1
        for _ in 0...roll(4) {
            parts.append(call(stream))
            stream += 2
        }
        if roll(10) == 0 {
            var broken = parts[parts.count - 1]
            for _ in 0...roll(4) where !broken.isEmpty { broken[roll(broken.count)] = UInt8(roll(256)) }
            parts[parts.count - 1] = broken
            // A changed length may make the rest of the bytes part of a frame.
            parts.append(Frame.frame(0xFF, stream: 0, bytes(1 << 14)))
        }
        let request = Array("providers/p/trips/\(trip)".utf8)
        parts.append(
            Frame.headers(
                [
                    (":method", "POST"), (":scheme", "http"), (":path", Self.service + "GetTrip"), (":authority", host),
                    ("content-type", "application/grpc"), ("te", "trailers"),
                ],
                stream: stream
            ) + Frame.data(Frame.message([0x1A, UInt8(request.count)] + request), end: true, stream: stream)
        )
        return parts
    }

    private mutating func call(_ stream: UInt32) -> [UInt8] {
        var frames = Frame.headers(fields(), end: roll(12) == 0, stream: stream)
        let message = (0..<roll(6)).flatMap { _ in field() }
        let length = roll(8) == 0 ? pick([0, 1, 4_000_000, 4_294_967_295]) : nil
        var data = Frame.message(message, flag: pick([0, 0, 0, 0, 1, 2, 255]), length: length)
        if roll(10) == 0 { data += data }
        if roll(10) == 0 { data = bytes(roll(30)) }
        frames += Frame.data(data, end: roll(5) > 0, stream: stream)
        if roll(12) == 0 { frames += Frame.headers([("grpc-status", "0")], end: true, stream: stream) }
        if roll(12) == 0 { frames += Frame.reset(pick([0, 8, 99, 0xFFFF_FFFF]), stream: stream) }
        return frames
    }

    private mutating func fields() -> [Field] {
        let methods = [
            Self.service + "GetTrip", Self.service + "SearchTrips", "/maps.fleetengine.v1.VehicleService/UpdateVehicle",
        ]
        let path =
            roll(4) > 0
            ? pick(methods) : pick(["", "/", "//", "/a/b", Self.service, "/" + String(repeating: "x", count: 3000)])
        var fields = [
            (":method", roll(10) > 0 ? "POST" : pick(["GET", "", "PRI"])),
            (":scheme", pick(["http", "http", "https", ""])),
            (":path", path), (":authority", roll(6) > 0 ? host : pick(["evil.example", "", "\u{1}"])),
        ]
        if roll(5) > 0 { fields.append(("content-type", roll(5) > 0 ? "application/grpc" : pick(["", "text/plain"]))) }
        if roll(5) > 0 { fields.append(("te", "trailers")) }
        for _ in 0..<roll(5) { fields.append((pick(Self.names), pick(Self.values))) }
        return fields
    }

    private static let names = [
        "grpc-timeout", "grpc-timeout", "grpc-encoding", "grpc-accept-encoding", "authorization",
        "x-goog-request-params",
        "trace-bin", "origin", "grpc-message", "content-length", "grpc-previous-rpc-attempts", "grpc-status",
        String(repeating: "n", count: 2000),
    ]
    private static let values = [
        "1H", "0n", "-1S", "99999999H", "99999999999H", "1", "S", "+1S", "1é", "", "gzip", "deflate", "identity",
        "Bearer x.y.z", "Bearer", "%", "%ff%", "0", "999", "-1", "\u{0}", String(repeating: "A", count: 5000),
    ]

    /// Returns a field of a message with a random number and wire type.
    private mutating func field(depth: Int = 0) -> [UInt8] {
        let number = UInt64(pick([1, 2, 3, 4, 5, 6, 11, 20, 536_870_911]))
        let type = UInt64(pick([0, 1, 2, 2, 2, 3, 4, 5, 7]))
        let head = varint(number << 3 | type)
        switch type {
        case 0: return head + varint(pick([0, 1, 1 << 63, .max]))
        case 1: return head + bytes(8)
        case 5: return head + bytes(4)
        case 2:
            var content = bytes(roll(40))
            if roll(3) == 0 { content = Array("providers/p/trips/t".utf8) }
            if roll(3) == 0, depth < 4 { content = (0..<roll(4)).flatMap { _ in field(depth: depth + 1) } }
            return head + varint(roll(10) > 0 ? UInt64(content.count) : UInt64(roll(1 << 33))) + content
        default: return head
        }
    }

    private func varint(_ value: UInt64) -> [UInt8] {
        var (rest, bytes) = (value, [UInt8]())
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
