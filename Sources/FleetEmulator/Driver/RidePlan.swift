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
        /// The slow stretch of the path, in meters.
        let slow: Range<Double>?
        /// The relative speed; 1 is about 13 m/s on a straight road.
        let pace: Double
        /// The start time of each profile step, in seconds from the start of the leg.
        private let times: [Double]
        /// The start of each profile step, in meters.
        private let offsets: [Double]
        /// The times of jams that no forecast includes, in seconds from the start of the leg.
        private let jams: [ClosedRange<Double>]

        /// The duration of the drive in seconds.
        package var duration: Double { times.last ?? 0 }

        /// Plans a drive in steps of 10 m.
        ///
        /// The vehicle is slow in turns, in the slow stretch, at both ends and at a red light. A jam stops it at a fraction of
        /// the path for some seconds that no forecast includes.
        package init(
            _ path: [Coordinate],
            slow share: ClosedRange<Double>?,
            pace: Double,
            redLightAt light: Double?,
            jam: (share: Double, seconds: Double)? = nil
        ) {
            var jams: [ClosedRange<Double>] = []
            route = Route(path)
            self.pace = pace
            let length = route.length.meters
            slow = share.map { $0.lowerBound * length..<$0.upperBound * length }
            var (times, offsets) = ([0.0], [0.0])
            var offset = 0.0
            var (waited, stuck) = (light == nil, jam == nil)
            while offset < length {
                let step = min(10, length - offset)
                let speed = Self.speed(at: offset + step / 2, on: route, slow: slow) * pace
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

        /// The speed at a position of the path, in meters per second.
        private static func speed(at offset: Double, on route: Route, slow: Range<Double>?) -> Double {
            let turn = max(turning(at: offset, on: route), 0)
            var speed = RidePlan.topSpeed * (1 - 0.6 * min(1, turn / 60))
            if let slow, slow.contains(offset) { speed = min(speed, RidePlan.slowSpeed) }
            let toEnd = min(offset, route.length.meters - offset)
            return max(3, min(speed, 4 + toEnd * 0.25))
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

    static let topSpeed = 13.0
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

    /// Creates the default ride; the seed slightly varies the speed and the lights.
    package static func standard(seed: UInt64) -> RidePlan {
        var random = SeededGenerator(seed: seed)
        let pace = Double.random(in: 1.1...1.25, using: &random)
        let light = Double.random(in: 0.2...0.35, using: &random)
        return RidePlan(
            approach: Leg(DefaultRide.approach, slow: nil, pace: pace, redLightAt: nil),
            ride: Leg(DefaultRide.ride, slow: DefaultRide.slowStretch, pace: pace, redLightAt: light)
        )
    }

    /// The paths as roads of the service.
    package var roads: Roads { Roads(known: [Roads.Known(approach), Roads.Known(ride)]) }

    /// The initial position of the vehicle.
    var start: Coordinate? { approach.route.points.first }
    /// The position of the pickup.
    var pickup: Coordinate? { ride.route.points.first }
    /// The position of the drop-off.
    var dropoff: Coordinate? { ride.route.points.last }

    /// The duration of the whole ride in seconds, from the creation of the trip.
    package var duration: Double { startsAfter + approach.duration + waits + ride.duration }
}
