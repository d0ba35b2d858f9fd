import Runtime
package import TripModel

/// The plan of a simulated ride: path, speed and schedule.
///
/// Without side effects; the same seed gives the same plan.
///
/// ```
/// 0 s      5 s         10 s                  arrival            +15 s               arrival
/// created  assigned    ENROUTE_TO_PICKUP ──▶ ARRIVED_AT_PICKUP  ENROUTE_TO_DROPOFF ──▶ COMPLETE
/// ```
package struct RidePlan: Sendable {
    /// A drive along a path.
    package struct Leg: Sendable {
        /// The path.
        package let route: Route
        /// The path with the speeds of its streets.
        let way: StreetPath
        /// The slow stretch of the path, in meters.
        let slow: Range<Double>?
        /// The relative speed; 1 is the speed of the street, about 13 m/s outside of the town.
        let pace: Double
        /// The start time of each profile step, in seconds from the start of the leg.
        private let times: [Double]
        /// The start of each profile step, in meters.
        private let offsets: [Double]
        /// The times of jams that no forecast includes, in seconds from the start of the leg.
        private let jams: [ClosedRange<Double>]

        /// The maximum number of steps: 200 km in steps of 10 m.
        private static let mostPieces = 20_000

        /// The duration of the drive in seconds.
        package var duration: Double { times.last ?? 0 }

        /// Plans a drive along a path without streets.
        package init(
            _ path: [Coordinate],
            slow: ClosedRange<Double>?,
            pace: Double,
            redLightAt light: Double?
        ) {
            self.init(StreetPath(path), slow: slow, pace: pace, redLightAt: light)
        }

        /// Plans a drive in steps of 10 m, of longer ones on a path of more than 200 km.
        ///
        /// The vehicle is slow in turns, in the slow stretch, at both ends and at a red light. The slow stretch begins and ends
        /// where streets meet. A jam stops the vehicle at a fraction of the path for some seconds that no forecast includes.
        package init(
            _ way: StreetPath,
            slow share: ClosedRange<Double>?,
            pace: Double,
            redLightAt light: Double?,
            jam: (share: Double, seconds: Double)? = nil
        ) {
            var jams: [ClosedRange<Double>] = []
            route = Route(way.points)
            self.way = way
            self.pace = pace
            let length = route.length.meters
            let junctions = way.junctions.map { [route] in route.offsets[$0] }
            slow = share.map { Self.stretch($0.lowerBound * length..<$0.upperBound * length, between: junctions) }
            var (times, offsets) = ([0.0], [0.0])
            var offset = 0.0
            let piece = max(10, length / Double(Self.mostPieces))
            var (waited, stuck) = (light == nil, jam == nil)
            while offset < length {
                let step = min(piece, length - offset)
                let speed = Self.speed(at: offset + step / 2, on: route, of: way, slow: slow) * pace
                times.append((times.last ?? 0) + step / speed)
                offset += step
                offsets.append(offset)
                if !waited, let light, offset >= light * length {
                    waited = true
                    times.append((times.last ?? 0) + RidePlan.redLight)
                    offsets.append(offset)
                }
                if !stuck, let jam, offset >= jam.share * length {
                    stuck = true
                    let begin = times.last ?? 0
                    jams.append(begin...begin + jam.seconds)
                    times.append(begin + jam.seconds)
                    offsets.append(offset)
                }
            }
            self.times = times
            self.offsets = offsets
            self.jams = jams
        }

        /// Follows a path at known times.
        ///
        /// - Parameters:
        ///   - route: The path.
        ///   - times: The time of each point in seconds from the start of the leg; ascending.
        ///   - pace: The relative speed that the times have.
        init(_ route: Route, times: [Double], pace: Double) {
            (self.route, way, slow, self.pace) = (route, StreetPath(route.points), nil, pace)
            (self.times, offsets, jams) = (times, route.offsets, [])
        }

        /// The speed at a position of the path, in meters per second.
        private static func speed(
            at offset: Double,
            on route: Route,
            of way: StreetPath,
            slow: Range<Double>?
        ) -> Double {
            let turn = max(turning(at: offset, on: route), 0)
            let segment = route.position(at: offset)?.segment ?? 0
            let limit = way.speeds.indices.contains(segment) ? way.speeds[segment] : RidePlan.topSpeed
            var speed = limit * (1 - 0.6 * min(1, turn / 60))
            if let slow, slow.contains(offset) { speed = min(speed, RidePlan.slowSpeed) }
            let toEnd = min(offset, route.length.meters - offset)
            return max(3, min(speed, 4 + toEnd * 0.25))
        }

        /// Returns the stretch from the junction before it to the junction after it, unless the result is more than twice as long.
        private static func stretch(_ stretch: Range<Double>, between junctions: [Double]) -> Range<Double> {
            let start = junctions.last { $0 <= stretch.lowerBound } ?? stretch.lowerBound
            let end = junctions.first { $0 >= stretch.upperBound } ?? stretch.upperBound
            let length = stretch.upperBound - stretch.lowerBound
            return end - start <= 2 * length ? start..<end : stretch
        }

        /// The change of direction around a position, in degrees.
        private static func turning(at offset: Double, on route: Route) -> Double {
            guard let before = route.position(at: offset - 20)?.coordinate,
                let here = route.position(at: offset)?.coordinate,
                let after = route.position(at: offset + 20)?.coordinate
            else { return 0 }
            let change = abs(before.bearing(to: here) - here.bearing(to: after))
            return min(change, 360 - change)
        }

        /// The predicted remaining time in seconds, without jams.
        func foreseen(at time: Double) -> Double {
            let unknown = jams.reduce(0) { $0 + max(0, $1.upperBound - max($1.lowerBound, time)) }
            return max(0, duration - time - unknown)
        }

        /// The distance driven after some seconds, in meters.
        package func offset(at time: Double) -> Double {
            guard time > 0 else { return 0 }
            guard let next = times.firstIndex(where: { $0 > time }) else { return offsets.last ?? 0 }
            let share = (time - times[next - 1]) / (times[next] - times[next - 1])
            return offsets[next - 1] + (offsets[next] - offsets[next - 1]) * share
        }
    }

    /// The speed where no street has a speed of its own, in meters per second.
    package static let topSpeed = 13.0
    static let slowSpeed = 6.0
    static let redLight = 9.0

    /// When the operator assigns the trip, in seconds.
    let assignedAfter = 5.0
    /// When the driver departs, in seconds.
    let startsAfter = 10.0
    /// How long the vehicle waits at the pickup, in seconds.
    let waits = 15.0
    /// The drive to the pickup.
    package let approach: Leg
    /// The drive to the drop-off.
    package let ride: Leg

    /// The initial position of the vehicle.
    var start: Coordinate? { approach.route.points.first }
    /// The position of the pickup.
    var pickup: Coordinate? { ride.route.points.first }
    /// The position of the drop-off.
    var dropoff: Coordinate? { ride.route.points.last }

    /// The duration of the whole ride in seconds, from the creation of the trip.
    package var duration: Double { startsAfter + approach.duration + waits + ride.duration }
}

/// The default ride: between places of a town, chosen by the seed.
extension RidePlan {
    /// The accepted lengths of the drive to the pickup and of the ride, in meters.
    private static let lengths = (approach: 400.0...900, ride: 1000.0...1700)
    /// The accepted durations in seconds.
    private static let durations = 155.0...210
    /// The part of the ride with slow traffic, as fractions of its length.
    private static let slowStretch = 0.42...0.62

    /// Creates a ride of about three minutes; the seed selects the places, the speed and the lights.
    package static func standard(seed: UInt64, in town: Town = .demo) -> RidePlan {
        var random = SeededGenerator(seed: seed)
        let pace = Double.random(in: 0.95...1.1, using: &random)
        let light = Double.random(in: 0.2...0.35, using: &random)
        func plan(_ approach: StreetPath, _ ride: StreetPath) -> RidePlan {
            RidePlan(
                approach: Leg(approach, slow: nil, pace: pace, redLightAt: nil),
                ride: Leg(ride, slow: slowStretch, pace: pace, redLightAt: light)
            )
        }
        // Most pairs of places are too near or too far.
        for _ in 0..<1000 {
            guard let ride = ride(in: town, using: &random), let pickup = ride.points.first else { continue }
            let starts = town.streets.nodes.filter { isNear($0, pickup, lengths.approach) }
            for _ in 0..<3 {
                guard let start = starts.randomElement(using: &random),
                    let approach = town.streets.path(from: start, to: pickup),
                    lengths.approach.contains(Route(approach.points).length.meters)
                else { continue }
                let plan = plan(approach, ride)
                if durations.contains(plan.duration) { return plan }
            }
        }
        return plan(StreetPath([]), StreetPath([]))
    }

    /// Returns the way between a well-known place and another random place, if it has the right length.
    private static func ride(in town: Town, using random: inout SeededGenerator) -> StreetPath? {
        guard let from = town.places.randomElement(using: &random), let to = town.places.randomElement(using: &random),
            min(from.rank, to.rank) <= 2, isNear(from.coordinate, to.coordinate, lengths.ride),
            let pickup = town.streets.nearest(to: from.coordinate),
            let dropoff = town.streets.nearest(to: to.coordinate),
            let ride = town.streets.path(from: pickup, to: dropoff),
            lengths.ride.contains(Route(ride.points).length.meters)
        else { return nil }
        return ride
    }

    /// Returns whether a way between two points may have one of some lengths: it is at most about twice the straight line.
    private static func isNear(_ start: Coordinate, _ end: Coordinate, _ lengths: ClosedRange<Double>) -> Bool {
        (lengths.lowerBound / 2...lengths.upperBound).contains(start.distance(to: end).meters)
    }
}
