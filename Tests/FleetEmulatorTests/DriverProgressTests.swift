import FleetEmulator
import Runtime
import Synchronization
import Testing
import TripModel
import TripTestSupport

@Suite("Requests after a step of a paused clock", .ends(within: .quickTest))
struct DriverProgressTests {
    private let clock = ManualClock()
    private let progress = DriverProgress(limit: .testTimeout)

    @Test func `a request is answered after the drivers have acted`() async throws {
        let (first, second) = (DrivenVehicle.ofTrips(try VehicleID("a")), DrivenVehicle.ofTrips(try VehicleID("b")))
        progress.waits(first, until: 5)
        progress.waits(second, until: 20)
        clock.advance(by: .seconds(5))
        let questions = Mutex(0)
        // The driver acts only after the request has begun to wait.
        await progress.catchUp(with: clock) {
            switch questions.withLock({ questions in
                questions += 1
                return questions
            }) {
            case 2: progress.acts(first)
            case 4: progress.waits(first, until: 10)
            default: break
            }
            return true
        }
        #expect(questions.withLock { $0 } >= 4)
    }

    @Test func `a request does not wait while the clock runs`() async throws {
        progress.acts(.ofTrips(try VehicleID("a")))
        let start = ContinuousClock.now
        await progress.catchUp(with: clock) { false }
        #expect(start.duration(to: .now) < .testTimeout)
    }

    @Test func `a request does not wait for a driver whose script has ended`() async throws {
        let vehicle = DrivenVehicle.ofTrips(try VehicleID("a"))
        progress.acts(vehicle)
        progress.ends(vehicle)
        let questions = Mutex(0)
        await progress.catchUp(with: clock) {
            questions.withLock { $0 += 1 }
            return true
        }
        #expect(questions.withLock { $0 } == 1)
    }

    @Test func `a driver that does not act delays a request until the limit`() async throws {
        let progress = DriverProgress(limit: .milliseconds(50))
        progress.acts(.ofTrips(try VehicleID("a")))
        let start = ContinuousClock.now
        await progress.catchUp(with: clock) { true }
        #expect(start.duration(to: .now) >= .milliseconds(50))
        #expect(start.duration(to: .now) < .testTimeout)
    }
}
