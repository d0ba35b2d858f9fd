import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

/// Triggers with a number or a rule, from the events of a trip or a shipment.
@Suite("Notices with a number or a rule", .ends(within: .quickTest))
struct NoticeTriggerTests {
    private static let start = Date(timeIntervalSince1970: 1_767_286_800)
    private static let unavailable = Failure.service(ServiceAnswer(httpStatus: 503), retryAfter: nil)

    /// The polls of a journey, 5 s apart.
    private struct Polls {
        private var table = JourneyTable()
        private var state: TripState
        private let id: JourneyID
        private let detector: NoticeDetector
        private var number = 0

        init(of id: JourneyID, _ triggers: [String]) throws {
            (self.id, state) = (id, TripState(id: id))
            detector = NoticeDetector(try triggers.map { try NoticeTrigger(parsing: $0) })
        }

        private var now: Moment {
            Moment(wall: NoticeTriggerTests.start + Double(5 * number), steady: .seconds(5 * number))
        }

        /// Returns the names of the notices of a poll.
        mutating func names(_ outcome: Result<Journey, Failure>) -> [String] {
            defer { number += 1 }
            var report = PollReport(journey: id, started: now)
            report.outcome = outcome
            if case .success(let journey) = outcome { state.merge(journey, of: report) }
            return names(.polled(report, state, PollSchedule(interval: .seconds(5), next: nil)))
        }

        /// Returns the names of the notices of an event.
        mutating func names(_ event: FeedEvent) -> [String] {
            let changes = table.apply(event, at: now)
            return detector.notices(of: changes, table).map(\.name)
        }
    }

    private static func shipment(_ change: (inout TaskTrackingInfo) -> Void) throws -> Journey {
        var info = TaskTrackingInfo(trackingID: try TrackingID("s"), provider: try ProviderID("p"), state: .open)
        change(&info)
        return .shipment(info)
    }

    @Test func `polls that fail for some seconds are noticed once in each outage`() throws {
        let trip = Journey.trip(Trip(id: try TripID("t"), provider: try ProviderID("p"), status: .enrouteToPickup))
        var polls = try Polls(of: trip.id, ["failing:10", "failing:12"])
        var names: [[String]] = [polls.names(.success(trip))]
        for _ in 0..<6 { names.append(polls.names(.failure(Self.unavailable))) }
        names.append(polls.names(.success(trip)))
        for _ in 0..<3 { names.append(polls.names(.failure(Self.unavailable))) }
        #expect(
            names == [
                [], ["failure"], [], ["failing:10"], ["failing:12"], [], [],
                ["recovered"], ["failure"], [], ["failing:10"],
            ]
        )
    }

    @Test func `the stops before a shipment are noticed once for each number`() throws {
        let id = try Self.shipment { _ in }.id
        var polls = try Polls(of: id, ["stops:2", "stops:0"])
        var found: [[String]] = []
        for left in [nil, 5, 3, 3, 1, 1] {
            found.append(polls.names(.success(try Self.shipment { $0.remainingStopCount = left })))
        }
        #expect(found.map { $0.filter { $0.hasPrefix("stops") } } == [[], [], ["stops:2"], [], ["stops:0"], []])
    }

    @Test(arguments: [(["window"], 1), ([], 0)])
    func `a moved window is noticed if it was asked for, beside the change of the plan`(
        triggers: [String],
        count: Int
    ) throws {
        let id = try Self.shipment { _ in }.id
        var polls = try Polls(of: id, triggers)
        var names: [String] = []
        // The first window is no move, nor is the same one again.
        for shift in [nil, 0, 0, 3600, 3600] as [Double?] {
            let journey = try Self.shipment { info in
                info.targetTimeWindow = shift.map {
                    TimeWindow(start: Self.start + $0, end: Self.start + $0 + 1800)
                }
            }
            names += polls.names(.success(journey))
        }
        #expect(names.count { $0 == "window" } == count)
        #expect(names.count { $0 == "plan" } == 1)
    }

    @Test func `a rule is noticed for itself, and every finding for those who asked for all`() throws {
        let id = JourneyID.trip(try TripID("t"))
        var polls = try Polls(of: id, ["found:offRoute"])
        let findings = (["offRoute", "positionGap"] as [String]).compactMap(FindingRule.named).map { rule in
            Finding(time: Self.start, journey: id, rule: rule, severity: .warning, evidence: [])
        }
        try #require(!findings.isEmpty)
        let names = polls.names(.found(id, findings))
        #expect(names.count { $0 == "found:offRoute" } == 1)
        #expect(names.count { $0.hasPrefix("found") } == 1 && names.count { $0 == "finding" } == findings.count)
    }
}
