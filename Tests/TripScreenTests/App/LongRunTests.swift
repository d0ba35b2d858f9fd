import Failures
import FleetTokens
import Foundation
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport

@Suite("A screen that runs for hours", .ends(within: .longTest))
struct LongRunTests {
    /// Counts the items of every collection in a value, by the path to it.
    private static func lists(_ value: Any, _ path: String, depth: Int = 0, into counts: inout [String: Int]) {
        guard depth < 12 else { return }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .collection, .dictionary, .set:
            counts[path, default: 0] += mirror.children.count
            // The items of a collection are alike, so that only the first one is visited.
            for child in mirror.children.prefix(1) { lists(child.value, path + "[]", depth: depth + 1, into: &counts) }
        default:
            if let text = value as? String { counts[path + " (text)", default: 0] += text.utf8.count }
            for child in mirror.children {
                lists(child.value, "\(path).\(child.label ?? "")", depth: depth + 1, into: &counts)
            }
        }
    }

    /// Sends polls every five seconds, findings, notices and ticks to a screen.
    private func feed(_ screen: inout State, _ trip: inout TripState, hours: Range<Int>) throws {
        let id = trip.id
        let answer = try Ride().trip(at: 35)
        let finding = Finding(
            time: Ride.start,
            journey: id,
            rule: "arrivalJumped",
            severity: .warning,
            evidence: [Evidence("jump", .seconds(90))]
        )
        for poll in (hours.lowerBound * 720)..<(hours.upperBound * 720) {
            let second = Double(poll) * 5
            var known = answer
            let offset = Double(poll % 1000) * 1e-5
            var location = VehicleLocation(coordinate: Coordinate(latitude: 52.5 + offset, longitude: 13.4))
            location.serverTime = Ride.start.addingTimeInterval(second)
            known.lastLocation = location
            known.etaToFirstWaypoint = Ride.start.addingTimeInterval(second + 60 + Double(poll % 7) * 40)
            trip.merge(.trip(known), serverDate: nil, at: Ride.moment(second))
            var report = PollReport(journey: id, started: Ride.moment(second))
            report.finished = Ride.moment(second + 0.02)
            report.outcome = poll % 11 == 0 ? .failure(.refused) : .success(.trip(known))
            let body = Array(#"{"poll":\#(poll),"status":"ENROUTE_TO_PICKUP"}"#.utf8)
            report.call = .sample(body: body, at: report.started, until: report.finished, failure: report.failure)
            let schedule = PollSchedule(interval: .seconds(5), next: .seconds(second + 5))
            _ = screen.update(.feed(.polled(report, trip, schedule)))
            if poll % 2 == 0 { _ = screen.update(.feed(.found(id, [finding]))) }
            if poll % 12 == 0 { _ = screen.update(.notice("notice \(poll)")) }
            if poll % 100 == 0 { _ = screen.update(.tick(Ride.moment(second + 1))) }
        }
    }

    @Test func `no collection grows in six hours of polls, findings and notices`() throws {
        var screen = try Ride().screen(at: 35)
        #expect(screen.update(.key(.character("5"))).isEmpty)
        var trip = TripState(id: try Ride().id())
        try feed(&screen, &trip, hours: 0..<3)
        var early: [String: Int] = [:]
        Self.lists(screen, "screen", into: &early)
        try feed(&screen, &trip, hours: 3..<6)
        var late: [String: Int] = [:]
        Self.lists(screen, "screen", into: &late)
        #expect(early.count > 20)
        for (path, count) in late where count > (early[path] ?? 0) + 8 {
            Issue.record("\(path) grew from \(early[path] ?? 0) to \(count)")
        }
        #expect(late.values.allSatisfy { $0 <= 5000 }, "\(late.filter { $0.value > 5000 })")
    }
}
