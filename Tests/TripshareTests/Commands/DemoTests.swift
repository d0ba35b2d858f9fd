import Foundation
import Testing
import TripTestSupport

@Suite("Demo", .ends(within: .longTest))
struct DemoTests {
    private static let ride = ["NEW", "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF", "COMPLETE"]

    @Test func `plays a whole ride over real HTTP and never shows a token`() async throws {
        let run = try await Program.run(["demo", "--output", "json", "--speed", "30", "--until", "COMPLETE"])
        #expect(run.status == 0, "\(run.errors)")
        let events = try run.lines.map(JSONEvent.init)
        var statuses: [String] = []
        for event in events where event.type == "trip" {
            let status = try #require(event.status)
            if statuses.last != status { statuses.append(status) }
        }
        // A busy machine may miss a status.
        #expect(statuses == Self.ride.filter(statuses.contains) && statuses.count > 2 && statuses.last == "COMPLETE")
        #expect(events.last?.type == "end" && events.last?.outcome == "reached")
        let fetches = events.filter { $0.type == "token" }.compactMap(\.fetches).max()
        #expect((fetches ?? 0) >= 2, "the token is refreshed in the background")
        #expect(events.allSatisfy { $0.type != "poll" || $0.outcome == "ok" })
        #expect(!run.output.contains("eyJ") && !run.errors.contains("eyJ"))
    }

    @Test func `prints the ride as sentences without escape sequences`() async throws {
        let run = try await Program.run(["--speed", "120", "--token-lifetime", "3600", "--until", "COMPLETE"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.lines.count > 5)
        #expect(
            run.output.unicodeScalars.allSatisfy {
                $0 == "\n" || !$0.properties.isDefaultIgnorableCodePoint && $0.value >= 0x20
            }
        )
    }

    @Test(.enabled(if: Shared.isThere, Shared.why))
    func `plays a recording with the original times of its statuses`() async throws {
        let clock = ClockComparison()
        let run = try await Program.run([
            "demo", "--recording", Shared.recording.path, "--output", "json", "--until", "COMPLETE",
            "--speed", "\(Self.recordingSpeed)", "--interval", "15", "--token-lifetime", "3600",
        ])
        // The ride follows the machine's clock, so that a correction of it moves the ride by that many times as much.
        let clockCorrection = Self.recordingSpeed * clock.correction
        #expect(run.status == 0, "\(run.errors)")
        let events = try run.lines.map(JSONEvent.init)
        let trips = Set(events.compactMap(\.trip))
        #expect(trips.count == 2)
        for trip in trips {
            let own = events.filter { $0.trip == trip }
            let steps = Self.recorded[trip] ?? Self.otherRecorded
            // Each answer limits the start of the recording: its status was true at some time between the start of its
            // poll and its end, however long either took.
            var (earliest, latest) = (-Double.infinity, Double.infinity)
            for (poll, answer) in zip(own, own.dropFirst()) where poll.type == "poll" && answer.type == "trip" {
                let step = try #require(steps.firstIndex { $0.0 == answer.status })
                latest = min(latest, try #require(answer.date).timeIntervalSince1970 - steps[step].1)
                guard step + 1 < steps.count else { continue }
                earliest = max(earliest, try #require(poll.begin).timeIntervalSince1970 - steps[step + 1].1)
            }
            // The steps and the known clock offsets are whole seconds.
            #expect(
                earliest <= latest + 3 + clockCorrection,
                "\(trip): \(earliest - latest) s too early for one answer, or too late for another"
            )
            let seen = own.compactMap(\.status).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
            #expect(seen.last == "COMPLETE")
            #expect(seen == steps.map(\.0).filter(seen.contains))
        }
    }

    /// Recorded seconds per second: the rides take more than an hour.
    private static let recordingSpeed = 180.0

    /// When each trip of the recording reached a status by its log, in seconds from its start.
    private static let recorded: [String: [(String, Double)]] = [
        "fb1318df-9a2e-4455-9b17-3a7433a681e4": [
            ("NEW", 0), ("ENROUTE_TO_PICKUP", 36), ("ARRIVED_AT_PICKUP", 122), ("ENROUTE_TO_DROPOFF", 123),
            ("COMPLETE", 1220),
        ]
    ]
    private static let otherRecorded: [(String, Double)] = [
        ("NEW", 0), ("ENROUTE_TO_PICKUP", 10), ("ARRIVED_AT_PICKUP", 355), ("ENROUTE_TO_DROPOFF", 356),
        ("COMPLETE", 1107),
    ]
}

/// Compares the machine's wall clock with its monotonic clock.
private struct ClockComparison {
    private let wall = Date()
    private let steady = ContinuousClock.now

    /// By how many seconds the wall clock was set forward or back, as an absolute value.
    var correction: Double {
        let elapsed = steady.duration(to: .now) / .seconds(1)
        return abs(Date().timeIntervalSince(wall) - elapsed)
    }
}

/// A line of the JSON output.
struct JSONEvent: Decodable {
    var type: String
    var time: String
    var started: String?
    var trip: String?
    var status: String?
    var outcome: String?
    var fetches: Int?

    init(_ line: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(line.utf8))
    }

    /// When the line was written, in milliseconds.
    var date: Date? { Self.date(time) }

    /// When a poll began.
    var begin: Date? { started.flatMap(Self.date) }

    /// Parses a time in the program's format.
    static func date(_ text: String) -> Date? {
        try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains(".")))
    }
}
