import FleetEmulator
import Testing
import TripModel
import TripTestSupport

@Suite("Ride plan", .ends(within: .quickTest))
struct RidePlanTests {
    @Test(arguments: [1, 2, 3, 4, 5, 99, .max] as [UInt64])
    func `takes about three minutes for any seed`(seed: UInt64) {
        let plan = RidePlan.standard(seed: seed)
        #expect((150...215).contains(plan.duration))
        #expect((400...900).contains(plan.approach.route.length.meters))
        #expect((1000...1700).contains(plan.ride.route.length.meters))
    }

    @Test func `the same seed gives the same ride, another seed another one`() {
        let (first, again, other) = (RidePlan.standard(seed: 1), RidePlan.standard(seed: 1), RidePlan.standard(seed: 2))
        let course = { (plan: RidePlan) in stride(from: 0, to: 120, by: 1.0).map(plan.ride.offset) }
        #expect(course(first) == course(again))
        #expect(course(first) != course(other))
    }

    @Test func `the seed chooses places of the town, and all drives follow its streets`() throws {
        var ends: Set<Coordinate> = []
        for seed in 1...12 as ClosedRange<UInt64> {
            let plan = RidePlan.standard(seed: seed)
            for leg in [plan.approach, plan.ride] {
                for point in leg.route.points {
                    let street = try #require(Town.demo.streets.nearest(to: point))
                    #expect(street.distance(to: point).meters < 1, "seed \(seed)")
                }
            }
            #expect(plan.approach.route.points.last == plan.ride.route.points.first)
            ends.insert(try #require(plan.ride.route.points.last))
        }
        #expect(ends.count >= 8)
    }

    @Test(arguments: [1, 7, 42] as [UInt64])
    func `drives from end to end within city speed limits and never back`(seed: UInt64) {
        let plan = RidePlan.standard(seed: seed)
        for leg in [plan.approach, plan.ride] {
            var last = 0.0
            for tenth in 0...Int(leg.duration * 10) {
                let offset = leg.offset(at: Double(tenth) / 10)
                #expect(offset >= last && offset - last <= 1.7)
                last = offset
            }
            #expect(leg.offset(at: -1) == 0)
            #expect(abs(leg.offset(at: leg.duration + 1) - leg.route.length.meters) < 0.01)
        }
    }

    @Test func `stops once at a red light`() {
        let ride = RidePlan.standard(seed: 1).ride
        let standing = (0..<Int(ride.duration)).filter {
            ride.offset(at: Double($0) + 1) == ride.offset(at: Double($0))
        }
        #expect((7...9).contains(standing.count))
    }
}
