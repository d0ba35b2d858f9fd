import Failures
import FleetTokens
import Foundation
import Recording
import Runtime
import TripFeed
import TripModel
import TripTestSupport

/// A recorded ride of 19 polls with errors, a fault and notes.
///
/// `Tests/RecordingTests/Samples/ride.ndjson` is this ride as the program wrote it; `UPDATE_RECORDINGS=1` writes it again.
struct SampleRide {
    static let file = Checkout.folder.appending(path: "Tests/RecordingTests/Samples/ride.ndjson")

    /// Changes of the ride, for comparisons.
    struct Options {
        /// Seconds by which every prediction is later.
        var delay = 0.0
        /// Whether the service fails twice.
        var hasErrors = true
        /// The number of polls on the way to the pickup.
        var pollsToPickup = 6
    }

    /// The recording as read from the file.
    static var session: RecordedSession {
        get throws { try RecordedSession(bytes: [UInt8](Data(contentsOf: file))) }
    }

    private static func place(_ index: Int) -> String {
        #"{"latitude":\#(51 + Double(index) / 1000),"longitude":\#(3.7 + Double(index) / 500)}"#
    }

    private static func body(_ status: String, _ index: Int, at now: Date, delay: Double) -> String {
        let time = { (seconds: Double) in Timestamp.text(now.addingTimeInterval(seconds)) }
        let pickup = Timestamp.text(Date(timeIntervalSince1970: 1_767_225_600 + 60 + delay))
        let dropoff = Timestamp.text(Date(timeIntervalSince1970: 1_767_225_600 + 180 + delay))
        var more =
            #","tripType":"EXCLUSIVE","pickupPoint":{"point":\#(place(6))},"dropoffPoint":{"point":\#(place(14))}"#
        guard status != "NEW" else { return RecordingScene.body(status, more: more) }
        more +=
            #","dropoffTime":"\#(dropoff)","pickupTime":"\#(pickup)","remainingDistanceMeters":\#(4000 - 200 * index)"#
        more +=
            #","lastLocation":{"location":\#(place(index)),"rawLocation":\#(place(index)),"heading":45,"speed":11.5,"#
        more += #""updateTime":"\#(time(-1.5))","rawLocationTime":"\#(time(-1.5))","serverTime":"\#(time(-0.5))"}"#
        guard status != "COMPLETE" else {
            return RecordingScene.body(
                status,
                more: more + #","actualDropoffPoint":{"point":\#(place(14)),"timestamp":"\#(time(-1))"}"#
            )
        }
        let isBefore = status.hasSuffix("PICKUP")
        more += #","etaToFirstWaypoint":"\#(isBefore ? pickup : dropoff)""#
        let path = (isBefore ? 0...6 : 6...14).map(place).joined(separator: ",")
        more += #","currentRouteSegmentVersion":"2026-01-01T00:00:\#(isBefore ? "01" : "02")Z","route":[\#(path)]"#
        let ends = (isBefore ? [("PICKUP", 6)] : []) + [("DROP_OFF", 14)]
        let waypoints = ends.map { kind, index in
            #"{"location":{"point":\#(place(index))},"tripId":"tr-1","waypointType":"\#(kind)_WAYPOINT_TYPE"}"#
        }
        return RecordingScene.body(
            status,
            more: more + #","remainingWaypoints":[\#(waypoints.joined(separator: ","))]"#
        )
    }

    /// Returns the lines of the recording.
    static func recording(_ options: Options = Options()) async throws -> [UInt8] {
        let scene = RecordingScene()
        var state = TripState(id: RecordingScene.trip)
        var events: [RecordedEvent] = []
        let statuses =
            ["NEW", "NEW"] + Array(repeating: "ENROUTE_TO_PICKUP", count: options.pollsToPickup) + ["ARRIVED_AT_PICKUP"]
            + Array(repeating: "ENROUTE_TO_DROPOFF", count: 9) + ["COMPLETE"]
        for (index, status) in statuses.enumerated() {
            scene.clock.advance(by: .seconds(5))
            let now = scene.clock.now().wall
            var answer = RecordingScene.Answer(
                headers: [("Date", HTTPDate.text(now)), ("Content-Type", "application/json; charset=UTF-8")],
                body: body(status, max(0, index - 1), at: now, delay: options.delay)
            )
            if options.hasErrors, index == 4 {
                answer = .init(status: 503, headers: [("Retry-After", "5")], body: #"=cmd|"busy", try later"#)
            }
            if options.hasErrors, index == 5 { answer = .init(error: .timedOut) }
            let report = try await scene.poll(answer, after: state)
            if case .success(let trip) = report.outcome {
                state.merge(trip, serverDate: report.serverDate, sent: report.started, at: report.finished)
            }
            let schedule = PollSchedule(interval: .seconds(5), next: report.finished.steady + .seconds(5))
            events.append(RecordedEvent(.poll(RecordedPoll(report, schedule: schedule)), at: report.finished))
            if index == 3 {
                let fault = RecordedFault(name: "status", isActive: true, parameters: ["status": "503"])
                events.append(RecordedEvent(.fault(fault), at: report.finished))
            }
            if index == 8 {
                events.append(RecordedEvent(.note(RecordedNote(.mark, "At the pickup\u{202E}")), at: report.finished))
                let findings = FindingRule.all.prefix(1).map {
                    Finding(time: now, journey: RecordingScene.trip, rule: $0, severity: $0.severity, evidence: [])
                }
                let recorded = RecordedFindings(journey: RecordingScene.trip, findings)
                events.append(RecordedEvent(.findings(recorded), at: report.finished))
            }
        }
        let end = RecordedEnd(trip: "tr-1", .reached(.trip(.complete)))
        events.append(RecordedEvent(.end(end), at: scene.clock.now()))
        return recordingText(events)
    }
}
