import FleetEmulator
import Runtime
import Testing
import TripTestSupport

@Suite("Tour", .ends(within: .quickTest))
struct TourTests {
    private let tour = Tour.embedded

    @Test func `plays its scenarios in about seven minutes`() throws {
        let seconds = tour.stages.reduce(0) { $0 + $1.seconds / $1.speed }
        #expect((300...420).contains(seconds), "\(seconds) s")
        let known = ["ride"] + Scenario.names + Scenario.deliveryNames
        for stage in tour.stages { #expect(known.contains(stage.scenario)) }
    }

    @Test func `has steps in the order of their times within the stage`() {
        for stage in tour.stages {
            let times = stage.steps.map(\.at)
            #expect(times == times.sorted() && times.allSatisfy { $0 >= 0 && $0 < stage.seconds })
        }
    }
}
