import Failures
import Foundation
import Testing
import TransportLive
import TripTestSupport

@Suite("Emulator reset", .ends(within: .longTest))
struct EmulatorResetTests {
    private static func call(
        _ method: String,
        _ url: String,
        _ body: String = "",
        _ transport: HTTPTransport
    ) async throws -> [String: Any] {
        let request = HTTPTransportRequest(
            method: method,
            url: url,
            headers: [("content-type", "application/json")],
            body: [UInt8](body.utf8),
            timeout: .testTimeout
        )
        let answer = try await transport.send(request)
        #expect(answer.status == 200, "\(method) \(url): \(String(decoding: answer.body, as: UTF8.self))")
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
    }

    private static func trips(_ control: String, _ transport: HTTPTransport) async throws -> [String: String] {
        let list = try await call("GET", "\(control)/trips", transport)["trips"] as? [[String: Any]] ?? []
        return list.reduce(into: [:]) { $0[$1["name"] as? String ?? ""] = $1["tripStatus"] as? String }
    }

    private static func call(_ method: String, _ url: String, _ transport: HTTPTransport) async throws -> [String: Any]
    {
        try await call(method, url, "", transport)
    }

    @Test func `a reset starts the scenario again, with its first faults and without other trips`() async throws {
        let arguments = ["--scenario", "back-to-back", "--token-latency", "0.1"]
        try await EmulatedEngine.run(arguments) { ready, object in
            let control = try #require(object["controlURL"] as? String)
            let vehicle = try #require((object["vehicleIds"] as? [String])?.first)
            try await withLiveHTTPTransport { transport in
                let beginning = try await Self.trips(control, transport)
                #expect(!beginning.isEmpty)
                // While the clock is paused, no trip proceeds.
                _ = try await Self.call("POST", "\(control)/clock", #"{"paused":true}"#, transport)
                let new = #"{"tripType":"EXCLUSIVE","pickupPoint":{"point":{"latitude":51,"longitude":3.7}}}"#
                _ = try await Self.call("POST", "\(control)/trips?tripId=other", new, transport)
                _ = try await Self.call("POST", "\(control)/trips/other:cancel", transport)
                let fault = #"{"on":"engine","kind":"status","status":503,"path":"nothing"}"#
                _ = try await Self.call("POST", "\(control)/faults", fault, transport)
                _ = try await Self.call("POST", "\(control)/vehicles/\(vehicle):freeze", transport)
                #expect(try await Self.trips(control, transport).count == beginning.count + 1)

                _ = try await Self.call("POST", "\(control)/reset", transport)

                let trips = try await Self.trips(control, transport)
                #expect(Set(trips.keys) == Set(beginning.keys))
                #expect(!trips.values.contains("CANCELED") && !trips.values.contains("COMPLETE"))
                let faults = try await Self.call("GET", "\(control)/faults", transport)["faults"] as? [[String: Any]]
                #expect(faults?.count == 1 && (faults?[0]["fault"] as? [String: Any])?["kind"] as? String == "latency")
                // The drivers act again: they bring the trips to their end and report positions.
                _ = try await Self.call("POST", "\(control)/clock", #"{"paused":false,"speed":60}"#, transport)
                let watch = ["watch", "--emulator", ready, "--output", "plain", "--until", "COMPLETE"]
                let run = try await Program.run(watch)
                #expect(run.status == 0, "\(run.errors)")
                let state = try await Self.call("GET", "\(control)/vehicles/\(vehicle)", transport)
                #expect((state["pastLocations"] as? [Any])?.isEmpty == false)
                // A second one works, too.
                _ = try await Self.call("POST", "\(control)/reset", transport)
                #expect(try await Set(Self.trips(control, transport).keys) == Set(beginning.keys))
            }
        }
    }

    @Test func `the control API shows what was reported`() async throws {
        try await EmulatedEngine.run([]) { _, object in
            let control = try #require(object["controlURL"] as? String)
            try await withLiveHTTPTransport { transport in
                let bills = try await Self.call("GET", "\(control)/billableTrips", transport)
                #expect((bills["billableTrips"] as? [Any])?.isEmpty == true)
                let answer = try await transport.send(
                    HTTPTransportRequest(url: "\(control)/vehicles/unknown", timeout: .testTimeout)
                )
                #expect(answer.status == 404)
            }
        }
    }
}
