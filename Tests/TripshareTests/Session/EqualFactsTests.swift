import Failures
import FleetEmulator
import FleetWire
import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import tripshare

/// Equal events give equal changes, receipts, findings and verdicts, from any source and at any speed.
///
/// `LogFactsTests` compares them with the log of the service.
@Suite("Equal facts", .ends(within: .longTest))
struct EqualFactsTests {
    private static let folder = Checkout.folder.appending(path: "Tests/TripshareTests/Recordings")

    /// Recorded seconds per second: the speed of the session, that of the demo, and the highest one of a screen.
    private static let speeds = [1.0, 60, ReplayClock.speeds.upperBound]

    @Test(arguments: Scenario.names)
    func `of a recorded scenario, whether it is folded at once, event by event, recorded again or played at any speed`(
        scenario: String
    ) async throws {
        let path = Self.folder.appending(path: "\(scenario).ndjson.gz").path
        let run = try await Program.run(executable: "/usr/bin/gzip", ["-dc", path])
        try #require(run.status == 0, "\(run.errors)")
        let recording = try RecordedStream(Array(run.output.utf8))
        let expectations = try TripExpectation.reached(.complete)
        let items = try await recording.items()
        let folded = FoldedStream(items, expectations)
        #expect(!folded.changes.isEmpty && folded.faults.isEmpty, "\(folded.faults.prefix(3))")
        let start = try #require(items.first?.at)
        try await expectEqual(items, recording, from: start, folded, expectations)
    }

    @Test(arguments: 0..<200)
    func `of generated events, and the changes are those of the story that they describe`(seed: Int) async throws {
        let story = try GeneratedStory(seed: UInt64(seed))
        let expectations = try TripExpectation.reached(.enrouteToDropoff)
        let folded = FoldedStream(story.items, expectations)
        #expect(folded.faults.isEmpty, "\(folded.faults.prefix(3))")
        let recorded = folded.changes.compactMap { change -> String? in
            let words = change.split(separator: " ")
            guard ["began", "failure", "recovery", "status", "vehicle", "ended"].contains(words[2]) else { return nil }
            return words.joined(separator: " ")
        }
        #expect(recorded == story.recorded)
        let recording = RecordedStream(recording: story.items, provider: story.provider, from: GeneratedStory.start)
        try await expectEqual(story.items, recording, from: GeneratedStory.start, folded, expectations)
    }

    /// Compares what is concluded from events when they are posted, recorded once more, and when a recording is played.
    private func expectEqual(
        _ items: [SessionItem],
        _ recording: RecordedStream,
        from start: Moment,
        _ folded: FoldedStream,
        _ expectations: [TripExpectation]
    ) async throws {
        expectEqual(FoldedStream(posting: items, expectations), folded, "posted")
        let again = RecordedStream(recording: items, provider: recording.provider, from: start)
        expectEqual(FoldedStream(try await again.items(), expectations), folded, "recorded")
        for speed in Self.speeds {
            expectEqual(FoldedStream(recording.items(atSpeed: speed), expectations), folded, "at speed \(speed)")
        }
    }

    private func expectEqual(_ one: FoldedStream, _ other: FoldedStream, _ name: String) {
        for (left, right) in zip(one.changes, other.changes) where left != right {
            Issue.record("\(name): \(left) instead of \(right)")
            break
        }
        #expect(one.changes.count == other.changes.count, "\(name)")
        #expect(one.receipts == other.receipts && one.findings == other.findings, "\(name)")
        #expect(one.verdicts == other.verdicts, "\(name)")
    }
}

extension TripExpectation {
    fileprivate static func reached(_ status: TripStatus) throws -> [TripExpectation] {
        try ExpectationFile.read(
            yaml: "expect:\n- {status: \(status.name), within: 7200}\n- {failing: false, always: true}\n",
            file: "test",
            trips: nil,
            findings: []
        )
    }
}

/// A story of three trips as events, and what it tells as a list that is written with it.
private struct GeneratedStory {
    static let start = Moment(wall: Date(timeIntervalSince1970: 1_773_476_000), steady: .seconds(10))

    let provider: ProviderID
    private(set) var items: [SessionItem] = []
    private(set) var recorded: [String] = []
    private var states: [JourneyID: TripState] = [:]

    init(seed: UInt64) throws {
        provider = try ProviderID("p")
        var random = SeededGenerator(seed: seed)
        let statuses: [TripStatus] = [.new, .enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff]
        let ids = try ["a", "b", "c"].map { try TripID($0) }
        /// What was told last of each trip: the status, the vehicle, and the failures in a row.
        var known: [JourneyID: (status: String?, vehicle: String?, failure: String?, count: Int, answered: Bool)] = [:]
        var now = Self.start
        for number in 1...60 {
            now = now.advanced(by: .seconds(Int.random(in: 1...40, using: &random)))
            let own = ids.randomElement(using: &random) ?? ids[0]
            let id = JourneyID.trip(own)
            func record(_ text: String) { recorded.append("\(id.rawValue) \(number) \(text)") }
            if Int.random(in: 0..<15, using: &random) == 0 {
                items.append(SessionItem(.feed(.ended(id, .left)), at: now))
                record("ended left")
                (known[id], states[id]) = (nil, nil)
                continue
            }
            var last = known[id] ?? (nil, nil, nil, 0, false)
            if known[id] == nil { record("began") }
            if Int.random(in: 0..<3, using: &random) == 0 {
                let code = [503, 403, 500].randomElement(using: &random) ?? 503
                poll(id, .failure(.service(ServiceAnswer(httpStatus: code), retryAfter: nil)), code, at: now)
                if last.failure != "HTTP_\(code)" { record("failure HTTP_\(code) after \(last.failure ?? "-")") }
                (last.failure, last.count) = ("HTTP_\(code)", last.count + 1)
            } else {
                var trip = Trip(id: own, provider: provider, status: statuses.randomElement(using: &random) ?? .new)
                trip.vehicleID = try VehicleID(Bool.random(using: &random) ? "v-1" : "v-2")
                let vehicle = trip.vehicleID?.rawValue ?? "-"
                poll(id, .success(.trip(trip)), 200, at: now)
                if let failure = last.failure { record("recovery \(failure) \(last.count) \(last.answered)") }
                if last.status != trip.status.name {
                    record("status \(trip.status.name) after \(last.status ?? "-")")
                }
                if let before = last.vehicle, before != vehicle { record("vehicle \(vehicle) after \(before)") }
                last = (trip.status.name, vehicle, nil, 0, true)
            }
            known[id] = last
        }
    }

    private mutating func poll(_ id: JourneyID, _ outcome: Result<Journey, Failure>, _ status: Int, at now: Moment) {
        var report = PollReport(journey: id, started: now)
        report.outcome = outcome
        var body: [UInt8]?
        var state = states[id] ?? TripState(id: id)
        if case .success(let journey) = outcome {
            body = journey.trip.map { TripCoding.encode($0) }
            state.merge(journey, of: report)
        }
        report.call = .sample(about: id.name, status: status, body: body, at: now, failure: report.failure)
        states[id] = state
        let schedule = PollSchedule(interval: .seconds(5), next: now.steady + .seconds(5))
        items.append(SessionItem(.feed(.polled(report, state, schedule)), at: now))
    }
}
