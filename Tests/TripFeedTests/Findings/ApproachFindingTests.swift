import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// Arrivals that distance and speed contradict, exchanged coordinates, and the rate of the driver's reports.
@Suite("Findings about approach, places and reports", .ends(within: .quickTest))
struct ApproachFindingTests {
    /// The values of the finding of a rule by name.
    private func values(_ rule: FindingRule, _ findings: [Finding]) -> [[String: Evidence.Value]] {
        findings.filter { $0.rule == rule }.map { finding in
            Dictionary(finding.evidence.map { ($0.name, $0.value) }) { $1 }
        }
    }

    /// The findings about a vehicle that drives the last 1,166 m at 10 m/s, with the arrival shifted by some hours.
    private func approach(
        hours: Double,
        _ change: (inout Trip, Double) throws -> Void = { _, _ in }
    ) throws -> [[String: Evidence.Value]] {
        var scene = try FindingScene()
        let start = scene.start.wall
        var found: [Finding] = []
        for number in 0..<14 {
            let seconds = scene.now.steady.seconds
            found += scene.answer { trip in
                trip.lastLocation?.coordinate?.longitude = seconds * 10 / 111_195
                trip.remainingDistance = Distance(meters: 1166 - seconds * 10)
                // The estimates of a navigation app vary.
                let noise = Double(number % 3)
                trip.etaToFirstWaypoint = start.addingTimeInterval(116.6 + noise + hours * 3600)
                try? change(&trip, seconds)
            }
        }
        return values("arrivalDisagrees", found)
    }

    @Test(arguments: [(1.0, 1.0), (2, 2), (5.5, 5.5), (8, 8), (-2, -2), (-9.5, -9.5)])
    func `an arrival that is off by a difference between time zones names it, once`(hours: Double, zone: Double) throws
    {
        let found = try approach(hours: hours)
        #expect(found.count == 1)
        #expect(found.first?["zone"] == .seconds(abs(zone) * 3600))
        guard case .seconds(let shift)? = found.first?["shift"], case .meters(let distance)? = found.first?["distance"],
            case .metersPerSecond(let speed)? = found.first?["speed"]
        else {
            Issue.record("\(found)")
            return
        }
        #expect(abs(shift - hours * 3600) < 10 && (400...900).contains(distance) && abs(speed - 10) < 0.1)
    }

    @Test(arguments: [1.5, 3.25, 20])
    func `an arrival that is off by something else names no time zone`(hours: Double) throws {
        let found = try approach(hours: hours)
        #expect(found.count == 1 && found.first?["zone"] == nil)
    }

    @Test(arguments: [0.0, 0.25, 0.5, -0.1, -0.4])
    func `an arrival that traffic or an old estimate can explain is no finding`(hours: Double) throws {
        #expect(try approach(hours: hours).isEmpty)
    }

    @Test func `a vehicle that waits, crawls or serves another trip is no finding`() throws {
        let waits = try approach(hours: 2) { trip, _ in
            trip.lastLocation?.coordinate?.longitude = 0
            trip.remainingDistance = Distance(meters: 466)
        }
        #expect(waits.isEmpty)
        let crawls = try approach(hours: 1) { trip, seconds in
            trip.remainingDistance = Distance(meters: 3000 - seconds)
        }
        #expect(crawls.isEmpty)
        let other = try TripID("other")
        let shared = try approach(hours: 2) { trip, _ in
            trip.remainingWaypoints.insert(Waypoint(coordinate: nil, tripID: other, kind: .dropoff), at: 0)
        }
        #expect(shared.isEmpty)
    }

    @Test func `a vehicle at a stop, far away or at an unknown distance is no finding`() throws {
        let arrived = try approach(hours: 2) { trip, _ in trip.status = .arrivedAtPickup }
        #expect(arrived.isEmpty)
        let unknown = try approach(hours: 2) { trip, _ in trip.remainingDistance = nil }
        #expect(unknown.isEmpty)
        let far = try approach(hours: 2) { trip, seconds in
            trip.remainingDistance = Distance(meters: 60_000 - seconds * 10)
        }
        #expect(far.isEmpty)
    }

    @Test func `an estimate that passed while nothing was predicted is overdue, not wrong`() throws {
        let old = try FindingScene().start.wall.addingTimeInterval(-7200)
        #expect(try approach(hours: -2) { trip, _ in trip.etaToFirstWaypoint = old }.isEmpty)
    }

    // MARK: Places

    private static let pickup = Coordinate(latitude: 52.52, longitude: 13.405)
    private static let dropoff = Coordinate(latitude: 52.50, longitude: 13.45)
    private static let vehicle = Coordinate(latitude: 52.51, longitude: 13.42)

    private func swapped(_ place: Coordinate) -> Coordinate {
        Coordinate(latitude: place.longitude, longitude: place.latitude)
    }

    private func ride(_ trip: inout Trip) {
        trip.pickup = Self.pickup
        trip.dropoff = Self.dropoff
        trip.lastLocation?.coordinate = Self.vehicle
    }

    @Test func `names exchanged coordinates once for each field`() throws {
        var scene = try FindingScene()
        var found: [Finding] = []
        for number in 0..<20 {
            found += scene.answer { trip in
                ride(&trip)
                if (2..<6).contains(number) || number > 12 {
                    trip.lastLocation?.coordinate = swapped(Self.vehicle)
                } else if number > 8 {
                    trip.dropoff = swapped(Self.dropoff)
                }
            }
        }
        let all = values("coordinatesSwapped", found)
        #expect(all == [["lastLocation.location": .text("13.42, 52.51")], ["dropoffPoint": .text("13.45, 52.5")]])
    }

    @Test func `two places, and places that are only far away, are not named`() throws {
        let changes: [(inout Trip) -> Void] = [
            { trip in
                trip.pickup = nil
                trip.lastLocation?.coordinate = swapped(Self.vehicle)
            },
            { $0.lastLocation?.coordinate = Coordinate(latitude: 0, longitude: 0) },
            { $0.dropoff = Coordinate(latitude: 48.14, longitude: 11.58) },
            { trip in
                // From Cairo to Alexandria: each is near the other with latitude and longitude exchanged.
                trip.pickup = Coordinate(latitude: 30.04, longitude: 31.24)
                trip.lastLocation?.coordinate = trip.pickup
                trip.dropoff = Coordinate(latitude: 31.20, longitude: 29.92)
            },
            { trip in
                // Across the date line, where latitude and longitude cannot be exchanged.
                trip.pickup = Coordinate(latitude: -16.8, longitude: 179.9)
                trip.lastLocation?.coordinate = trip.pickup
                trip.dropoff = Coordinate(latitude: -16.8, longitude: -179.9)
            },
        ]
        for change in changes {
            var scene = try FindingScene()
            let found = scene.answer { trip in
                ride(&trip)
                change(&trip)
            }
            #expect(values("coordinatesSwapped", found).isEmpty)
        }
    }

    // MARK: Reports

    /// The findings about a driver that reports after these times in seconds, in turn, with a poll at each `interval`.
    private func reports(
        _ gaps: [Double],
        polls: Int = 150,
        _ change: (inout Trip) -> Void = { _ in }
    ) throws -> [Finding] {
        var scene = try FindingScene()
        var times = [0.0]
        while times[times.count - 1] < 3000 { times.append(times[times.count - 1] + gaps[times.count % gaps.count]) }
        var found: [Finding] = []
        for _ in 0..<polls {
            let now = scene.now.steady.seconds
            let last = times.last { $0 <= now } ?? 0
            let report = scene.healthy(after: last)
            found += scene.answer { trip in
                trip.lastLocation = report.lastLocation
                trip.remainingDistance = report.remainingDistance
                change(&trip)
            }
        }
        return found
    }

    @Test func `reports once that a driver reports rarely, with the median`() throws {
        let found = values("reportsRare", try reports([40]))
        #expect(found.count == 1)
        guard case .seconds(let interval)? = found.first?["interval"] else { return }
        #expect((30...40).contains(interval) && found.first?["reports"] == .count(8))
    }

    @Test(arguments: [[5.0], [10], [20], [5, 5, 5, 120], [5, 60, 5]])
    func `usual reports with gaps are neither rare nor frequent`(gaps: [Double]) throws {
        let found = try reports(gaps)
        #expect(values("reportsRare", found).isEmpty && values("reportsFrequent", found).isEmpty)
    }

    @Test func `a vehicle that waits at the pickup may report rarely`() throws {
        let found = try reports([40]) { $0.status = .arrivedAtPickup }
        #expect(values("reportsRare", found).isEmpty)
    }

    @Test func `frequent reports are seen only by polls that are as close`() throws {
        let seen = try reports([5])
        #expect(values("reportsFrequent", seen).isEmpty)
        var limits = FindingLimits()
        limits[try #require(FindingLimit.all.first { $0.id == "frequentReports" })] = 6
        var scene = try FindingScene(limits: limits)
        var found: [Finding] = []
        for _ in 0..<20 { found += scene.answer() }
        #expect(values("reportsFrequent", found) == [["interval": .seconds(5), "reports": .count(8)]])
    }
}
