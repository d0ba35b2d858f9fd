import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import TripScreen

@Suite("Notices", .ends(within: .quickTest))
struct NoticeTests {
    /// The notices during a ride.
    private func notices(_ ride: Ride, _ triggers: [String] = [], until end: Double) throws -> [Notice] {
        let detector = NoticeDetector(try triggers.map { try NoticeTrigger(parsing: $0) })
        var table = JourneyTable()
        var found: [Notice] = []
        for message in try ride.messages(until: end) {
            guard case .feed(let event) = message else { continue }
            let changes = table.apply(event, at: Ride.moment(end))
            found += detector.notices(of: changes, table)
        }
        return found
    }

    @Test func `notices each change of the status but the first`() throws {
        let found = try notices(Ride(), until: 200).filter { $0.kind == .status }
        let statuses = found.compactMap { if case .status(let status, _) = $0.content { status } else { nil } }
        #expect(statuses.first == .trip(.enrouteToPickup) && statuses.last == .trip(.complete), "\(statuses)")
        #expect(zip(statuses, statuses.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test func `notices the loss of the position, and that it is known again`() throws {
        var ride = Ride()
        ride.silentFrom = 80
        #expect(try notices(ride, until: 165).filter { $0.kind == .stale }.count == 1)
        ride = Ride()
        ride.failsFrom = 80
        let kinds = try notices(ride, until: 165).map(\.kind)
        #expect(kinds.filter { $0 == .failure }.count == 1, "a failure that lasts is one notice: \(kinds)")
        #expect(kinds.filter { $0 == .stale }.count == 1)
    }

    @Test func `notices an arrival within a number of minutes once for each stop`() throws {
        let found = try notices(Ride(), ["arrival:1", "arrival:0.5"], until: 200).filter { $0.kind == .arrival }
        for minutes in [1.0, 0.5] {
            let places = found.compactMap { notice -> Arrivals.Place? in
                guard case .arrival(let arrival, minutes) = notice.content else { return nil }
                return arrival.place
            }
            #expect(Set(places).count == places.count && !places.isEmpty, "\(minutes): \(places)")
        }
    }

    @Test func `the pickup and the drop-off are noticed for those who asked for one of them`() throws {
        let found = try notices(Ride(), ["arrival:1", "pickup:1", "dropoff:1"], until: 200)
        let names = found.map(\.name).filter { $0.hasSuffix(":1") }
        #expect(names == ["arrival:1", "pickup:1", "arrival:1", "dropoff:1"])
        let rider = try notices(Ride(), ["pickup:1"], until: 200).filter { $0.kind == .pickup }
        let places = rider.map { notice in
            if case .pickup(let arrival, let minutes) = notice.content { "\(arrival.kind) \(minutes)" } else { "none" }
        }
        #expect(places == ["pickup 1.0"])
    }

    @Test func `notices a moved time window, and another type, as changes of the plan`() throws {
        let start = Date(timeIntervalSince1970: 1_767_286_800)
        let (tracking, provider) = (try TrackingID("s"), try ProviderID("p"))
        var info = TaskTrackingInfo(trackingID: tracking, provider: provider, state: .open)
        info.targetTimeWindow = TimeWindow(start: start, end: start + 1800)
        let before = Journey.shipment(info)
        info.targetTimeWindow = TimeWindow(start: start + 10_800, end: start + 12_600)
        var (shared, exclusive) = (
            Trip(id: try TripID("t"), provider: provider, status: .new),
            Trip(id: try TripID("t"), provider: provider, status: .new)
        )
        (exclusive.type, shared.type) = (.exclusive, .shared)
        for (answers, field) in [
            ([before, .shipment(info), .shipment(info)], TripField.targetTimeWindow),
            ([.trip(exclusive), .trip(shared), .trip(shared)], .tripType),
        ] {
            let detector = NoticeDetector([])
            var table = JourneyTable()
            var state = TripState(id: answers[0].id)
            var found: [Notice] = []
            for (index, trip) in answers.enumerated() {
                let now = Moment(wall: start + Double(index), steady: .seconds(index))
                var report = PollReport(journey: trip.id, started: now)
                report.outcome = .success(trip)
                state.merge(trip, serverDate: nil, at: now)
                let event = FeedEvent.polled(report, state, PollSchedule(interval: .seconds(5), next: nil))
                let changes = table.apply(event, at: now)
                found += detector.notices(of: changes, table)
            }
            let changed = found.compactMap { if case .plan(let fields) = $0.content { fields } else { nil } }
            #expect(changed == [[field]])
        }
    }

    /// The second of the last answer before the arrival, and that of the first one after it.
    ///
    /// The arrival is promised for second 200, and from second 250 on expected for second 300.
    @Test(arguments: [(15.0, 400.0, 0), (15, 180, 0), (295, 400, 1)])
    func `notices a delay that an answer shows, not one that an outage may have hidden`(
        last: Double,
        arrival: Double,
        count: Int
    ) throws {
        let start = Date(timeIntervalSince1970: 1_767_286_800)
        let id = try TripID("t")
        let detector = NoticeDetector([try NoticeTrigger(parsing: "late:1")])
        var (table, state) = (JourneyTable(), TripState(id: .trip(id)))
        var found: [Notice] = []
        for second in Array(stride(from: 5.0, through: last, by: 5)) + [arrival, arrival + 5] {
            var trip = Trip(
                id: id,
                provider: try ProviderID("p"),
                status: second < arrival ? .enrouteToPickup : .arrivedAtPickup
            )
            trip.pickupTime = start + (second < 250 ? 200 : 300)
            let now = Moment(wall: start + second, steady: .seconds(second))
            state.merge(.trip(trip), serverDate: nil, at: now)
            var report = PollReport(journey: .trip(id), started: now)
            report.outcome = .success(.trip(trip))
            let event = FeedEvent.polled(report, state, PollSchedule(interval: .seconds(5), next: nil))
            let changes = table.apply(event, at: now)
            found += detector.notices(of: changes, table)
        }
        #expect(found.filter { $0.kind == .late }.count == count)
    }

    @Test func `notices nothing that was not asked for with a number or a rule`() throws {
        let asked: Set<Notice.Kind> = [.arrival, .pickup, .dropoff, .late, .stops, .window, .failing, .found]
        #expect(try !notices(Ride(), until: 200).contains { asked.contains($0.kind) })
        #expect(try notices(Ride(), ["late:10000"], until: 200).filter { $0.kind == .late }.isEmpty)
    }

    @Test(
        arguments: [
            ("status", "status", nil), ("ARRIVAL:5", "arrival:5", nil), ("late:2.5", "late:2.5", nil),
            ("pickup:5", "pickup:5", nil), ("dropoff:0", "dropoff:0", nil), ("pickup", nil, .needsNumber(.pickup)),
            ("stops:0", "stops:0", nil), ("failing:60", "failing:60", nil), ("window", "window", nil),
            ("found:offRoute", "found:offRoute", nil), ("found:OFFROUTE", "found:offRoute", nil),
            ("arrival", nil, NoticeTrigger.Problem.needsNumber(.arrival)),
            ("late:-1", nil, .needsNumber(.late)), ("late:x", nil, .needsNumber(.late)),
            ("late:1e9", nil, .needsNumber(.late)), ("late:nan", nil, .needsNumber(.late)),
            ("stops", nil, .needsNumber(.stops)), ("stops:1.5", nil, .needsNumber(.stops)),
            ("stops:-1", nil, .needsNumber(.stops)), ("stops:1001", nil, .needsNumber(.stops)),
            ("failing:0", nil, .needsNumber(.failing)), ("failing:86401", nil, .needsNumber(.failing)),
            ("found", nil, .needsRule(.found)), ("found:", nil, .needsRule(.found)),
            ("found:offRoad", nil, .unknownRule("offRoad")), ("window:5", nil, .takesNone(.window)),
            ("stale:5", nil, .takesNone(.stale)), ("sleep", nil, .unknown("sleep")), ("", nil, .unknown("")),
        ] as [(String, String?, NoticeTrigger.Problem?)]
    )
    func `reads triggers`(text: String, name: String?, problem: NoticeTrigger.Problem?) {
        do throws(NoticeTrigger.Problem) {
            #expect(try NoticeTrigger(parsing: text).name == name)
        } catch {
            #expect(error == problem)
        }
    }

    @Test func `there is a row for each kind, whose example is a trigger`() throws {
        #expect(Set(NoticeKindRow.all.map(\.kind)) == Set(Notice.Kind.allCases))
        #expect(NoticeKindRow.all.count == Notice.Kind.allCases.count)
        for row in NoticeKindRow.all { #expect(try NoticeTrigger(parsing: row.example).name == row.example) }
    }

    @Test func `an address without a list gets what needs no number, and a moved window as a change of the plan`() {
        let names = ["status", "stale", "fresh", "failure", "recovered", "finding", "plan", "end"]
        #expect(NoticeTrigger.standard.map(\.name) == names)
    }
}
