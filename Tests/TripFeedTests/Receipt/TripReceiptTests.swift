import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Receipt of a trip", .ends(within: .quickTest))
struct TripReceiptTests {
    /// A trip that is polled; times are minutes since its start.
    private struct Scene {
        static let start = Date(timeIntervalSince1970: 1_773_476_000)
        let trip: TripID
        var state: TripState
        var table = JourneyTable()
        var receipt: TripReceipt

        init() throws {
            trip = try TripID("t")
            state = TripState(id: .trip(trip))
            receipt = TripReceipt(.trip(trip))
        }

        static func time(_ minutes: Double) -> Date { start.addingTimeInterval(minutes * 60) }

        /// A position on a straight line.
        static func location(_ meters: Double, _ minutes: Double) -> VehicleLocation {
            var location = VehicleLocation(coordinate: Coordinate(latitude: 0, longitude: meters / 111_195))
            location.serverTime = time(minutes)
            return location
        }

        private static func moment(_ minutes: Double) -> Moment {
            Moment(wall: time(minutes), steady: .seconds(minutes * 60))
        }

        /// Reports a poll.
        mutating func poll(
            _ status: TripStatus,
            at minutes: Double,
            pickup: Double? = nil,
            dropoff: Double? = nil,
            _ change: (inout Trip) -> Void = { _ in }
        ) throws {
            let now = Self.moment(minutes)
            var answer = Trip(id: trip, provider: try ProviderID("p"), status: status)
            answer.pickupTime = pickup.map(Self.time)
            answer.dropoffTime = dropoff.map(Self.time)
            change(&answer)
            state.merge(.trip(answer), serverDate: nil, at: now)
            var report = PollReport(journey: .trip(trip), started: now)
            report.finished = now
            report.outcome = .success(.trip(answer))
            handle(report)
        }

        mutating func fail(_ failure: Failure) {
            var report = PollReport(journey: .trip(trip), started: Self.moment(0))
            report.outcome = .failure(failure)
            handle(report)
        }

        private mutating func handle(_ report: PollReport) {
            handle(.polled(report, state, PollSchedule(interval: .seconds(5), next: nil)))
        }

        mutating func handle(_ event: FeedEvent) {
            let changes = table.apply(event, at: Self.moment(0))
            if let facts = table[.trip(trip)] { receipt.handle(changes, facts) }
        }

        mutating func token(_ kind: TokenEvent.Kind) {
            let changes = table.apply(
                TokenEvent(context: .trip(trip), at: Self.moment(0), kind: kind, status: TokenStatus(source: ""))
            )
            if let facts = table[.trip(trip)] { receipt.handle(changes, facts) }
        }

        /// A ride of half an hour whose pickup was promised for minute 10 and happened in minute 12.
        static func ride() throws -> Scene {
            var scene = try Scene()
            try scene.poll(.new, at: 0)
            try scene.poll(.new, at: 1.75)
            try scene.poll(.enrouteToPickup, at: 2, pickup: 10, dropoff: 30)
            try scene.poll(.enrouteToPickup, at: 6, pickup: 11.5, dropoff: 31)
            try scene.poll(.enrouteToPickup, at: 11.75, pickup: 11.5, dropoff: 31)
            try scene.poll(.arrivedAtPickup, at: 12, pickup: 12, dropoff: 31)
            try scene.poll(.enrouteToDropoff, at: 14, pickup: 14, dropoff: 35)
            try scene.poll(.enrouteToDropoff, at: 26, pickup: 14, dropoff: 32.5)
            try scene.poll(.complete, at: 33, pickup: 14, dropoff: 33)
            return scene
        }
    }

    @Test func `measures the waits from status to status`() throws {
        let receipt = try Scene.ride().receipt
        #expect(receipt.hasEnded)
        #expect(receipt.waitForDriver == 120)
        #expect(receipt.waitForVehicle == 600)
        #expect(receipt.waitAtPickup == 120)
        #expect(receipt.waitAtStops == nil)
        #expect(receipt.rideDuration.map { abs($0 - 19 * 60) < 0.001 } == true)
    }

    @Test func `compares the promises with what happened`() throws {
        let receipt = try Scene.ride().receipt
        #expect(receipt.pickup.first?.time == Scene.time(10))
        #expect(receipt.pickup.actual == Scene.time(12))
        #expect(receipt.pickup.delay == 120)
        // 10 minutes before minute 12 the first promise was valid; 15 minutes before there was none.
        #expect(PromiseRecord.minutes.map { receipt.pickup.error(minutesBefore: $0) } == [nil, 120, 30, 30])
        #expect(receipt.pickup.accuracy == .since(Scene.time(6)))
        #expect(receipt.dropoff.delay == 180)
        #expect(PromiseRecord.minutes.map { receipt.dropoff.error(minutesBefore: $0) } == [-120, -120, 30, 30])
        #expect(receipt.dropoff.accuracy == .since(Scene.time(26)))
    }

    @Test func `does not know a delay that an outage may have made`() throws {
        var scene = try Scene()
        try scene.poll(.new, at: 0)
        try scene.poll(.enrouteToPickup, at: 2, pickup: 10, dropoff: 30)
        // No answer from minute 2 to minute 15: the vehicle may have been there in minute 10.
        try scene.poll(.arrivedAtPickup, at: 15, pickup: 10, dropoff: 30)
        let receipt = scene.receipt
        #expect(receipt.pickup.first?.time == Scene.time(10))
        #expect(receipt.pickup.actual == Scene.time(15) && receipt.pickup.isLatest)
        #expect(receipt.pickup.delay == nil)
        #expect(receipt.pickup.error(minutesBefore: 5) == nil)
        #expect(receipt.pickup.accuracy == .notKnown)
    }

    @Test func `does not know by how much a vehicle was early whose arrival an outage hid`() throws {
        var scene = try Scene()
        try scene.poll(.new, at: 0)
        try scene.poll(.enrouteToPickup, at: 2, pickup: 10, dropoff: 30)
        try scene.poll(.arrivedAtPickup, at: 8, pickup: 10, dropoff: 30)
        #expect(scene.receipt.pickup.isLatest && scene.receipt.pickup.delay == nil)
        #expect(scene.receipt.pickup.error(minutesBefore: 5) == nil)
        #expect(
            scene.receipt.pickup.accuracy == .never,
            "the prediction was more than a minute wrong, whenever it came"
        )
    }

    @Test func `does not know how long something took whose begin or end an outage hid`() throws {
        var scene = try Scene()
        try scene.poll(.new, at: 0)
        for (status, minutes) in [
            (TripStatus.enrouteToPickup, 2.0), (.arrivedAtPickup, 4), (.enrouteToDropoff, 6), (.complete, 8),
        ] {
            try scene.poll(status, at: minutes)
        }
        let receipt = scene.receipt
        #expect(receipt.waitForDriver == nil && receipt.waitForVehicle == nil && receipt.waitAtPickup == nil)
        #expect(receipt.rideDuration == nil)
    }

    @Test func `uses the times that the driver reported`() throws {
        var scene = try Scene()
        let place = Coordinate(latitude: 0, longitude: 0)
        func actual(_ minutes: Double) -> StopLocation { StopLocation(coordinate: place, time: Scene.time(minutes)) }
        try scene.poll(.new, at: 0)
        try scene.poll(.enrouteToPickup, at: 1, pickup: 5, dropoff: 9)
        try scene.poll(.enrouteToDropoff, at: 8, dropoff: 9) {
            ($0.actualPickupArrival, $0.actualPickup) = (actual(5), actual(7))
        }
        try scene.poll(.complete, at: 10) { ($0.actualPickup, $0.actualDropoff) = (actual(7), actual(9.5)) }
        #expect(scene.receipt.pickup.delay == 0)
        #expect(scene.receipt.waitAtPickup == 120)
        #expect(scene.receipt.rideDuration == 150)
        #expect(scene.receipt.dropoff.delay == 30)
    }

    @Test func `does not know what happened before following began`() throws {
        var scene = try Scene()
        try scene.poll(.enrouteToDropoff, at: 14, pickup: 12, dropoff: 35) {
            $0.lastLocation = VehicleLocation(coordinate: Coordinate(latitude: 0, longitude: 0))
            $0.remainingDistance = Distance(meters: 1000)
        }
        try scene.poll(.enrouteToDropoff, at: 32.75, pickup: 12, dropoff: 35)
        try scene.poll(.complete, at: 33)
        let receipt = scene.receipt
        #expect(receipt.waitForDriver == nil && receipt.waitForVehicle == nil && receipt.waitAtPickup == nil)
        #expect(receipt.rideDuration == 1260.0, "the service reports when the rider got in")
        #expect(receipt.pickup == PromiseRecord() && receipt.pickup.accuracy == .notKnown)
        #expect(receipt.dropoff.first == nil && receipt.dropoff.delay == nil)
        #expect(receipt.dropoff.error(minutesBefore: 15) == -120)
        #expect(receipt.dropoff.accuracy == .never)
        #expect(receipt.wayToDropoff.driven == nil && receipt.wayToDropoff.reported == nil)
    }

    @Test func `a canceled trip has no arrival`() throws {
        var scene = try Scene()
        try scene.poll(.new, at: 0)
        try scene.poll(.enrouteToPickup, at: 2, pickup: 10, dropoff: 30)
        try scene.poll(.canceled, at: 9)
        #expect(scene.receipt.hasEnded)
        #expect(scene.receipt.waitForVehicle == nil && scene.receipt.pickup.actual == nil)
        #expect(scene.receipt.pickup.first != nil && scene.receipt.pickup.delay == nil)
        #expect(scene.receipt.dropoff.accuracy == .notKnown)
    }

    @Test func `adds up the stops`() throws {
        var scene = try Scene()
        try scene.poll(.new, at: 0)
        var last = TripStatus.new
        for (status, minutes) in [
            (TripStatus.enrouteToPickup, 1.0), (.arrivedAtPickup, 2), (.enrouteToIntermediateDestination, 3),
            (.arrivedAtIntermediateDestination, 4), (.enrouteToIntermediateDestination, 6),
            (.arrivedAtIntermediateDestination, 7), (.enrouteToDropoff, 8), (.complete, 9),
        ] {
            try scene.poll(last, at: minutes - 0.25)
            try scene.poll(status, at: minutes)
            last = status
        }
        #expect(scene.receipt.waitAtStops == 180)
    }

    @Test func `measures the driven way without the noise of a stationary device`() throws {
        var scene = try Scene()
        try scene.poll(.new, at: 0) { $0.lastLocation = Scene.location(0, 0) }
        try scene.poll(.enrouteToPickup, at: 1) {
            $0.lastLocation = Scene.location(4, 1)
            $0.remainingDistance = Distance(meters: 500)
            $0.remainingWaypoints = [Waypoint(coordinate: nil, tripID: $0.id, kind: .pickup)]
        }
        try scene.poll(.enrouteToPickup, at: 2) { $0.lastLocation = Scene.location(0, 2) }
        try scene.poll(.enrouteToPickup, at: 3) { $0.lastLocation = Scene.location(300, 3) }
        try scene.poll(.arrivedAtPickup, at: 4) { $0.lastLocation = Scene.location(510, 4) }
        try scene.poll(.arrivedAtPickup, at: 5) { $0.lastLocation = Scene.location(505, 5) }
        try scene.poll(.enrouteToDropoff, at: 6) {
            $0.lastLocation = Scene.location(1000, 6)
            $0.remainingDistance = Distance(meters: 800)
            var other = Waypoint(coordinate: nil, tripID: nil, kind: .dropoff)
            other.tripID = (try? TripID("other"))
            var own = Waypoint(coordinate: nil, tripID: $0.id, kind: .dropoff)
            own.distance = Distance(meters: 200)
            $0.remainingWaypoints = [other, own]
        }
        let receipt = scene.receipt
        #expect(abs((receipt.wayToPickup.driven ?? 0) - 510) < 1)
        #expect(receipt.wayToPickup.reported == 500)
        #expect(abs((receipt.wayToDropoff.driven ?? 0) - 490) < 1)
        #expect(receipt.wayToDropoff.reported == 1000)
    }

    @Test func `counts the way once if the position of a complete trip is answered twice`() throws {
        var scene = try Scene()
        try scene.poll(.arrivedAtPickup, at: 0) { $0.lastLocation = Scene.location(0, 0) }
        for minutes in 1...9 {
            try scene.poll(.enrouteToDropoff, at: Double(minutes)) {
                $0.lastLocation = Scene.location(Double(minutes) * 100, Double(minutes))
            }
        }
        // The last position of a complete trip is not part of its trail.
        for minutes in [10.0, 11] {
            try scene.poll(.complete, at: minutes) { $0.lastLocation = Scene.location(1000, 10) }
        }
        #expect(abs((scene.receipt.wayToDropoff.driven ?? 0) - 1000) < 1)
    }

    @Test func `counts polls, errors, tokens and findings`() throws {
        var scene = try Scene()
        try scene.poll(.new, at: 0)
        scene.fail(.timedOut)
        scene.fail(.timedOut)
        scene.handle(.omitted(.trip(scene.trip), EventOmission(successes: 3, failures: ["HTTP_503": 2])))
        let rule = try #require(FindingRule.all.first)
        let finding = Finding(
            time: Scene.start,
            journey: .trip(scene.trip),
            rule: rule,
            severity: .warning,
            evidence: []
        )
        scene.handle(.found(.trip(scene.trip), [finding, finding]))
        for kind in [TokenEvent.Kind.stored(generation: 1), .stored(generation: 2), .failed(.cancelled)] {
            scene.token(kind)
        }
        scene.token(.rejected(status: 401))
        // The pause after a refusal is no fetch.
        scene.token(.failed(.rejectedByService(status: 401, retryAfter: .seconds(10))))
        let receipt = scene.receipt
        #expect(receipt.polls.total == 8 && receipt.polls.failureCount == 4)
        #expect(receipt.polls.failures == ["TRANSPORT_TIMED_OUT": 2, "HTTP_503": 2])
        #expect(receipt.tokens.received == 2 && receipt.refreshes == 1 && receipt.tokens.failures == 1)
        #expect(receipt.tokens.refused == 1)
        #expect(receipt.findings.rules == [rule: 2] && receipt.findings.severities == [.warning: 2])
    }

    @Test func `stays small however often a prediction changes`() throws {
        var scene = try Scene()
        try scene.poll(.new, at: 0)
        for number in 0..<5000 {
            let minutes = 1 + Double(number) / 10
            try scene.poll(.enrouteToPickup, at: minutes, pickup: 600 + minutes)
        }
        try scene.poll(.arrivedAtPickup, at: 501)
        #expect(scene.receipt.pickup.first?.time == Scene.time(601))
        #expect(scene.receipt.pickup.error(minutesBefore: 110) != nil)
        // The predictions of that time were dropped.
        #expect(scene.receipt.pickup.error(minutesBefore: 490) == nil)
    }

    @Test(arguments: [true, false])
    func `a parcel is compared with the arrival of the van, not with its handing over`(_ isSeen: Bool) throws {
        let (tracking, provider) = (try TrackingID("s"), try ProviderID("p"))
        let id = JourneyID.shipment(tracking)
        var (table, state, receipt) = (JourneyTable(), TripState(id: id), TripReceipt(id))
        // Expected and there in minute 10, handed over in minute 22.
        for (minute, stops) in [(0.0, 2), (5, 1), (9.75, 1), (10, isSeen ? 1 : 2), (22, 0)] {
            var info = TaskTrackingInfo(trackingID: tracking, provider: provider, state: stops == 0 ? .closed : .open)
            if stops > 0 {
                info.remainingStopCount = stops
                info.estimatedArrival = minute == 0 ? nil : Scene.time(10)
                info.remainingDistance = Distance(meters: minute < 10 ? 1000 : 0)
            } else {
                (info.outcome, info.outcomeTime) = (.succeeded, Scene.time(22))
            }
            let now = Moment(wall: Scene.time(minute), steady: .seconds(minute * 60))
            var report = PollReport(journey: id, started: now)
            report.finished = now
            report.outcome = .success(Journey.shipment(info))
            state.merge(Journey.shipment(info), serverDate: nil, at: now)
            let event = FeedEvent.polled(report, state, PollSchedule(interval: .seconds(5), next: nil))
            let changes = table.apply(event, at: now)
            receipt.handle(changes, try #require(table[id]))
        }
        #expect(receipt.hasEnded)
        #expect(receipt.dropoff.actual == (isSeen ? Scene.time(10) : nil))
        #expect(receipt.dropoff.delay == (isSeen ? 0 : nil))
    }

    @Test func `a book returns the receipts of trips that have ended, once`() throws {
        var (table, book) = (JourneyTable(), ReceiptBook())
        func handle(_ event: FeedEvent) {
            let changes = table.apply(event, at: Moment(wall: Scene.start, steady: .zero))
            book.handle(changes, table)
        }
        let scene = try Scene.ride()
        let report = PollReport(journey: .trip(scene.trip), started: Moment(wall: Scene.start, steady: .zero))
        handle(.polled(report, scene.state, PollSchedule(interval: .seconds(5), next: nil)))
        handle(.ended(.trip(scene.trip), .left))
        #expect(book.finished(.trip(scene.trip)) == nil)
        var good = report
        good.outcome = .success(try #require(scene.state.journey))
        handle(.polled(good, scene.state, PollSchedule(interval: .seconds(5), next: nil)))
        #expect(book.finished(.trip(scene.trip))?.polls.total == 1)
        #expect(book.finished(.trip(scene.trip)) == nil)
    }
}
