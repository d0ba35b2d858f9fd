import Foundation
import Testing

@Suite("Demo")
struct DemoTests {
    private static let ride = ["NEW", "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF", "COMPLETE"]

    @Test func `follows a whole ride over real HTTP and never shows a token`() async throws {
        let run = try await Program.run(["demo", "--output", "json", "--speed", "60", "--until", "COMPLETE"])
        #expect(run.status == 0, "\(run.errors)")
        let events = try run.lines.map(JSONEvent.init)
        var statuses: [String] = []
        for event in events where event.type == "trip" {
            let status = try #require(event.status)
            if statuses.last != status { statuses.append(status) }
        }
        #expect(statuses == Self.ride)
        #expect(events.last?.type == "end" && events.last?.outcome == "reached")
        let fetches = events.filter { $0.type == "token" }.compactMap(\.fetches).max()
        #expect((fetches ?? 0) >= 2, "the token is refreshed in the background")
        #expect(events.allSatisfy { $0.type != "poll" || $0.outcome == "ok" })
        #expect(!run.output.contains("eyJ") && !run.errors.contains("eyJ"))
    }

    @Test func `says the same in sentences, without an escape sequence`() async throws {
        let run = try await Program.run(["--speed", "120", "--until", "COMPLETE"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.lines.count > 5)
        #expect(
            run.output.unicodeScalars.allSatisfy {
                $0 == "\n" || !$0.properties.isDefaultIgnorableCodePoint && $0.value >= 0x20
            }
        )
    }

    @Test(.enabled(if: Shared.isThere, Shared.why))
    func `plays a recording, and its statuses come when they came`() async throws {
        let run = try await Program.run([
            "demo", "--recording", Shared.recording, "--output", "json", "--until", "COMPLETE", "--speed", "60",
        ])
        #expect(run.status == 0, "\(run.errors)")
        let events = try run.lines.map(JSONEvent.init).filter { $0.type == "trip" }
        // Section C3 of the features reference: seconds from the start of the recording, and of the second trip.
        let recorded: [String: [(String, Double)]] = [
            "fb1318df-9a2e-4455-9b17-3a7433a681e4": [
                ("NEW", 0), ("ENROUTE_TO_PICKUP", 36), ("ARRIVED_AT_PICKUP", 122), ("ENROUTE_TO_DROPOFF", 123),
                ("COMPLETE", 1220),
            ]
        ]
        let trips = Set(events.compactMap(\.trip))
        #expect(trips.count == 2)
        for trip in trips {
            let own = events.filter { $0.trip == trip }
            #expect(own.last?.status == "COMPLETE")
            let steps =
                recorded[trip] ?? [
                    ("NEW", 0), ("ENROUTE_TO_PICKUP", 10), ("ARRIVED_AT_PICKUP", 355), ("ENROUTE_TO_DROPOFF", 356),
                    ("COMPLETE", 1107),
                ]
            let end = try #require(own.first { $0.status == "COMPLETE" }?.date)
            let origin = end.addingTimeInterval(-(steps.last?.1 ?? 0))
            for event in own {
                // Seen a poll late, and the origin is itself only known to a poll: 40 s are a third of a real second.
                let time = try #require(event.date).timeIntervalSince(origin)
                let possible = steps.indices.filter { index in
                    let until = index + 1 < steps.count ? steps[index + 1].1 : .infinity
                    return steps[index].1 <= time + 40 && time - 40 < until
                }
                #expect(possible.contains { steps[$0].0 == event.status }, "\(event.status ?? "") at \(time) s")
            }
            // What is shorter than the longest silence between two answers may lie in it; all else has to be seen.
            let times = try own.map { try #require($0.date).timeIntervalSince(origin) }
            let silence = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0
            let seen = own.compactMap(\.status).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
            for (step, next) in zip(steps, steps.dropFirst()) where next.1 - step.1 > max(silence, times[0]) + 10 {
                #expect(
                    seen.contains(step.0),
                    "\(step.0) lasted \(next.1 - step.1) s, the longest silence \(silence) s"
                )
            }
            #expect(seen == steps.map(\.0).filter(seen.contains))
        }
    }
}

/// A line of the JSON output.
struct JSONEvent: Decodable {
    var type: String
    var time: String
    var trip: String?
    var status: String?
    var outcome: String?
    var fetches: Int?

    init(_ line: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(line.utf8))
    }

    /// The time, to the millisecond.
    var date: Date? {
        try? Date(time, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: time.contains(".")))
    }
}
