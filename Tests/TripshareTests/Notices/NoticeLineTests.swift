import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import tripshare

/// The JSON of events with a number or a rule.
@Suite("Lines of notices", .ends(within: .quickTest))
struct NoticeLineTests {
    private static let start = Date(timeIntervalSince1970: 1_767_286_800)

    /// The lines about polls of a shipment, 5 s apart; `nil` fails.
    private static func lines(_ polls: [TaskTrackingInfo?], _ triggers: [String]) throws -> [[String: Any]] {
        let id = JourneyID.shipment(try TrackingID("s"))
        let detector = NoticeDetector(try triggers.map { try NoticeTrigger(parsing: $0) })
        var (table, state) = (JourneyTable(), TripState(id: id))
        var lines: [[String: Any]] = []
        for (number, poll) in polls.enumerated() {
            let now = Moment(wall: start + Double(5 * number), steady: .seconds(5 * number))
            var report = PollReport(journey: id, started: now)
            report.outcome = .failure(.service(ServiceAnswer(httpStatus: 503), retryAfter: nil))
            if let poll {
                report.outcome = .success(.shipment(poll))
                state.merge(.shipment(poll), of: report)
            }
            let event = FeedEvent.polled(report, state, PollSchedule(interval: .seconds(5), next: nil))
            let changes = table.apply(event, at: now)
            for notice in detector.notices(of: changes, table) where triggers.contains(notice.name) {
                let text = SanitizedJSON.line(NoticeLine(notice, id: NoticeID(text: "i"), sequence: 1, host: "h"))
                let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
                lines.append(try #require(object as? [String: Any]))
            }
        }
        return lines
    }

    private static func shipment(stops: Int? = nil, window hour: Double? = nil) throws -> TaskTrackingInfo {
        var info = TaskTrackingInfo(trackingID: try TrackingID("s"), provider: try ProviderID("p"), state: .open)
        info.remainingStopCount = stops
        info.targetTimeWindow = hour.map {
            TimeWindow(start: start + $0 * 3600, end: start + $0 * 3600 + 1800)
        }
        return info
    }

    @Test(arguments: [
        (3, "Your stop: 2 other stops before it"), (2, "Your stop: 1 other stop before it"),
        (1, "Your stop: the next stop"),
    ])
    func `says how many stops are left`(left: Int, text: String) throws {
        let lines = try Self.lines([try Self.shipment(stops: left)], ["stops:2"])
        let line = try #require(lines.first)
        #expect(lines.count == 1 && line["event"] as? String == "stops")
        #expect(line["trip"] as? String == "taskTrackingInfo/s")
        #expect(line["stops"] as? Int == 2 && line["stopsBefore"] as? Int == left - 1)
        #expect(line["text"] as? String == text, "\(line)")
    }

    @Test func `says which window was promised before`() throws {
        let lines = try Self.lines(try [Self.shipment(window: 1), Self.shipment(window: 4)], ["window"])
        let line = try #require(lines.first)
        #expect(lines.count == 1 && line["event"] as? String == "window")
        #expect(line["previousWindowStart"] as? String == Timestamp.text(Self.start + 3600))
        #expect(line["previousWindowEnd"] as? String == Timestamp.text(Self.start + 5400))
        #expect(line["windowStart"] as? String == Timestamp.text(Self.start + 14_400))
        #expect(line["windowEnd"] as? String == Timestamp.text(Self.start + 16_200))
    }

    @Test func `says since when polls fail, and why`() throws {
        let lines = try Self.lines([try Self.shipment(), nil, nil, nil, nil], ["failing:10"])
        let line = try #require(lines.first)
        #expect(lines.count == 1 && line["event"] as? String == "failing" && line["seconds"] as? Int == 10)
        #expect(line["failingSince"] as? String == Timestamp.text(Self.start + 5))
        #expect(line["code"] is String)
        #expect((line["text"] as? String)?.hasPrefix("Polls have failed for 10 s: ") == true, "\(line)")
    }

    @Test func `the manual has the keys`() throws {
        let page = Checkout.folder.appending(path: "Sources/tripshare/tripshare.docc/Notices.md")
        let manual = try String(contentsOf: page, encoding: .utf8)
        let lines = try Self.lines(
            try [Self.shipment(stops: 5, window: 1), Self.shipment(stops: 1, window: 4), nil, nil],
            ["window", "stops:1", "failing:5", "plan", "failure"]
        )
        let keys = Set(lines.flatMap(\.keys))
        #expect(keys.isSuperset(of: ["stopsBefore", "previousWindowEnd", "failingSince", "changed"]), "\(keys)")
        for key in keys { #expect(manual.contains("`\(key)`"), "the key \(key) is missing") }
    }
}
