import Runtime
import TripModel

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
