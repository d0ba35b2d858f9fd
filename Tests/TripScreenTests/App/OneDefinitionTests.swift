import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

/// The receipt, the screen and the expectations have the same times and delays.
@Suite("One definition of each time", .ends(within: .quickTest))
struct OneDefinitionTests {
    /// Answers about a trip whose device's clock, missed statuses and missing times are random.
    private static func answers(_ random: inout SeededGenerator) throws -> [(Double, Trip)] {
        let steps: [(TripStatus, Double)] = [
            (.new, 0), (.enrouteToPickup, 20), (.arrivedAtPickup, 300), (.enrouteToDropoff, 330), (.complete, 900),
        ]
        let isCanceled = Int.random(in: 0..<6, using: &random) == 0
        let deviceAhead = Double.random(in: -12...3, using: &random)
        let hasTimes = Bool.random(using: &random)
        let hasPlaces = Bool.random(using: &random)
        let hasArrival = Bool.random(using: &random)
        var answers: [(Double, Trip)] = []
        var now = Bool.random(using: &random) ? 0 : Double.random(in: 0...600, using: &random)
        while true {
            var status = steps.last { $0.1 <= now }?.0 ?? .new
            if isCanceled, now > 400 { status = .canceled }
            var trip = Trip(id: try TripID("t"), provider: try ProviderID("p"), status: status)
            let rank = status.rank ?? 0
            let isAboard = rank > 2
            func place(_ seconds: Double) -> StopLocation {
                StopLocation(coordinate: Ride.pickup, time: Ride.start.addingTimeInterval(seconds))
            }
            if hasTimes, status != .new, status != .canceled {
                trip.pickupTime = Ride.start.addingTimeInterval(isAboard ? 330 : 280 + now / 20)
                trip.dropoffTime = Ride.start.addingTimeInterval(status == .complete ? 900 : 850 + now / 20)
            }
            if hasPlaces, isAboard { trip.actualPickup = place(330 + deviceAhead) }
            if hasPlaces, status == .complete { trip.actualDropoff = place(900 + deviceAhead) }
            if hasArrival, rank >= 2, !status.isTerminal { trip.actualPickupArrival = place(298) }
            answers.append((now, trip))
            if status.isTerminal { return answers }
            now += Double.random(in: 1...(Bool.random(using: &random) ? 40 : 12), using: &random)
        }
    }

    @Test func `the receipt, the arrivals and the timeline of a trip agree`() throws {
        var random = SeededGenerator(seed: 14)
        var waits = 0
        for _ in 0..<300 {
            var state = TripState(id: try .trip(TripID("t")))
            var (table, receipt) = (JourneyTable(), TripReceipt(state.id))
            for (second, trip) in try Self.answers(&random) {
                let now = Ride.moment(second)
                state.merge(.trip(trip), serverDate: nil, at: now)
                var report = PollReport(journey: .trip(trip.id), started: now)
                report.finished = now
                report.outcome = .success(.trip(trip))
                let event = FeedEvent.polled(report, state, PollSchedule(interval: .seconds(5), next: nil))
                let changes = table.apply(event, at: now)
                receipt.handle(changes, try #require(table[state.id]))
                let arrivals = Arrivals(of: state)
                let pickup = ([arrivals.past].compactMap(\.self) + arrivals.all).first { $0.kind == .pickup }
                // An ended trip has no pickup to show.
                if let pickup {
                    #expect(pickup.reached == receipt.pickup.actual)
                    if let delay = receipt.pickup.delay { #expect(pickup.delay == .seconds(delay)) }
                }
                let steps = Timeline(of: state, at: now).steps
                let atPickup = steps.first { $0.status == .trip(.arrivedAtPickup) && $0.progress == .passed }
                if let wait = receipt.waitAtPickup, let duration = atPickup?.duration {
                    waits += 1
                    #expect(duration == .seconds(wait))
                }
                guard trip.status == .complete else { continue }
                #expect(arrivals.final?.done == receipt.dropoff.actual)
                if let delay = receipt.dropoff.delay {
                    #expect(arrivals.final?.delay == .seconds(delay) && state.dropoffDelay == delay)
                }
            }
        }
        #expect(waits > 100)
    }

    @Test func `the first prediction stays the promise however often it changes`() throws {
        var state = TripState(id: try .trip(TripID("t")))
        for number in 0..<1500 {
            var trip = Trip(id: try TripID("t"), provider: try ProviderID("p"), status: .enrouteToPickup)
            trip.pickupTime = Ride.start.addingTimeInterval(5000 + Double(number))
            state.merge(.trip(trip), serverDate: nil, at: Ride.moment(Double(number)))
        }
        #expect(Arrivals(of: state).next?.promised == Ride.start.addingTimeInterval(5000))
    }
}
