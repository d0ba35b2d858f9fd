import FleetEmulator
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

/// Driving a GPX track as it was recorded.
@Suite("Recorded tracks", .ends(within: .quickTest))
struct RecordedTrackTests {
    /// A track to the east along the equator; 0.001° are 111 m.
    private static func gpx(_ points: [(east: Double, time: String?)]) -> String {
        let inner = points.map { point in
            let time = point.time.map { "<ele>3</ele><time>\($0)</time>" } ?? ""
            return "<trkpt lat=\"0\" lon=\"\(point.east)\">\(time)</trkpt>"
        }
        return
            "<gpx><metadata><time>1999-01-01T00:00:00Z</time></metadata><trk><trkseg>\(inner.joined())</trkseg></trk></gpx>"
    }

    /// Returns a track from positions and seconds.
    private static func track(_ points: [(Double, Double)]) throws -> RecordedTrack {
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        return try RouteFile.track(
            gpx(points.map { ($0, start.addingTimeInterval($1).formatted(.iso8601)) })
        )
    }

    @Test func `reads times with fractions, zones and none`() throws {
        let track = try RouteFile.track(
            Self.gpx([
                (0, "2026-11-27T01:00:00Z"), (0.001, "2026-11-27T01:00:02.500Z"), (0.002, "2026-11-27T03:00:05+02:00"),
                (0.003, " 2026-11-27T01:00:09 "),
            ])
        )
        #expect(track.times == [0, 2.5, 5, 9])
        #expect(track.route.points.count == 4)
    }

    @Test(
        arguments: [
            ([(0, nil), (1, nil)], .noTime(point: nil)),
            ([(0, "2026-11-27T01:00:00Z"), (1, nil)], .noTime(point: 2)),
            ([(0, "2026-11-27T01:00:00Z"), (1, "yesterday")], .noTime(point: 2)),
            ([(0, "2026-11-27T01:00:00Z"), (1, "2026-11-27T00:59:59Z")], .timeGoesBack(point: 2)),
            ([(0, "2026-11-27T01:00:00Z")], .tooShort),
        ] as [([(Double, String?)], RouteFile.Problem)]
    )
    func `a file without times, or with times that go back, is refused`(
        points: [(Double, String?)],
        problem: RouteFile.Problem
    ) {
        #expect(throws: problem) { try RouteFile.track(Self.gpx(points.map { (east: $0, time: $1) })) }
    }

    @Test(arguments: ["_p~iF~ps|U_ulLnnqC", #"{"type":"LineString","coordinates":[[0,0],[1,1]]}"#])
    func `other formats have no times`(text: String) {
        #expect(throws: RouteFile.Problem.noTime(point: nil)) { try RouteFile.track(text) }
    }

    @Test func `follows the recorded times, speeds and stops`() throws {
        // 111 m in 10 s, a stop of 30 s, a jump without time, 111 m in 5 s.
        let track = try Self.track([(0, 0), (0.001, 10), (0.001, 40), (0.002, 40), (0.003, 45)])
        for pace in [1.0, 2, 0.5] {
            let leg = RidePlan.Leg(track, pace: pace)
            let part = track.route.length.meters / 3
            #expect(leg.duration == 45 / pace)
            for (time, parts) in [(5, 0.5), (10, 1), (25, 1), (39.9, 1), (42.5, 2.5), (45, 3), (99, 3)] {
                #expect(abs(leg.offset(at: time / pace) - parts * part) < 0.01, "after \(time) s")
            }
        }
    }

    @Test func `never moves back or waits longer than recorded, whatever the track`() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<100 {
            var (east, time) = (0.0, 0.0)
            let points = (0..<Int.random(in: 2...40, using: &random)).map { _ in
                defer {
                    if Bool.random(using: &random) { east += Double.random(in: 0...0.01, using: &random) }
                    time += Double(Int.random(in: 0...20, using: &random))
                }
                return (east, time)
            }
            let track = try Self.track(points)
            let leg = RidePlan.Leg(track, pace: 1)
            #expect(abs(leg.duration - (points.last?.1 ?? 0)) < 0.001)
            for (index, point) in points.enumerated() where point.1 > (index > 0 ? points[index - 1].1 : -1) {
                let isLast = index + 1 == points.count || points[index + 1].1 > point.1
                if isLast { #expect(abs(leg.offset(at: point.1) - track.route.offsets[index]) < 0.5) }
            }
        }
    }

    @Test func `a trip arrives when the track passes its stop, and waits there as long as recorded`() throws {
        let track = try Self.track([(0, 0), (0.01, 100), (0.0101, 130), (0.0101, 160), (0.02, 200), (0.03, 300)])
        let trip = DriverScript.TripPlan(
            id: try TripID("t"),
            pickup: Coordinate(latitude: 0.001, longitude: 0.01),
            dropoff: Coordinate(latitude: 0, longitude: 0.02)
        )
        let script = try DriverScript(recorded: track, vehicle: .ofTrips(try VehicleID("v")), serving: trip, pace: 2)
        var shown: [String] = []
        for step in script.steps {
            switch step {
            case .assign: shown.append("assign")
            case .drive(let drive):
                guard case .trip(let stop) = drive.target else {
                    Issue.record("no stop of a trip")
                    continue
                }
                shown.append("\(stop.kind) \(Int((drive.leg.duration * 10).rounded()))")
            case .wait(let seconds): shown.append("wait \(Int((seconds * 10).rounded()))")
            default: shown.append("\(step)")
            }
        }
        #expect(shown == ["assign", "pickup 500", "wait 300", "dropoff 200"])
    }

    @Test func `a stop that the track does not pass is an error`() throws {
        let track = try Self.track([(0, 0), (0.01, 100)])
        let trip = DriverScript.TripPlan(
            id: try TripID("t"),
            pickup: Coordinate(latitude: 0.01, longitude: 0),
            dropoff: nil
        )
        #expect(throws: DriverScript.StopOffTrack.self) {
            try DriverScript(recorded: track, vehicle: .ofTrips(try VehicleID("v")), serving: trip, pace: 1)
        }
    }
}
