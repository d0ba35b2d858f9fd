import Failures
import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("A log that is followed", .ends(within: .quickTest))
struct LiveLogTests {
    /// A refused call.
    static func refused(
        _ call: String,
        second: Int,
        request: String,
        status: Int,
        code: String
    ) -> String {
        let error = #"{"code":"\#(code)","httpstatuscode":\#(status)}"#
        let payload = #"{"@type":"x.v1.\#(call)Log","request":\#(request),"errorresponse":\#(error)}"#
        let place = #""resource":{"labels":{"resourcecontainer":"projects/acme"}}"#
        return #"{"insertid":"e\#(second)","timestamp":"\#(LogText.time(second))","jsonpayload":\#(payload),\#(place)}"#
    }

    /// `,"lastlocation":…` that the service received at a second.
    static func location(_ degrees: Double, at second: Int) -> String {
        #","lastlocation":{"location":\#(LogText.place(degrees)),"servertime":"\#(LogText.time(second))"}"#
    }

    /// An update of the vehicle with the same position in request and answer.
    static func update(_ degrees: Double, second: Int, id: String = "t1") -> String {
        LogText.vehicle(
            second: second,
            trips: [id],
            request: #","vehicle":{\#(location(degrees, at: second).dropFirst())}"#,
            response: location(degrees, at: second)
        )
    }

    private func steps(_ lines: [String], trips: [TripID] = []) -> [LiveLog.Step] {
        var log = LiveLog(trips: trips.map(JourneyID.trip))
        return Self.steps(items(lines, &log))
    }

    private static func steps(_ items: [LiveLog.Item]) -> [LiveLog.Step] {
        items.compactMap { item in if case .step(let step) = item { step } else { nil } }
    }

    private func items(_ lines: [String], _ log: inout LiveLog) -> [LiveLog.Item] {
        log.handle(Array(lines.map { $0 + "\n" }.joined().utf8)) { Moment(wall: $0, steady: .zero) }
    }

    private let assigned = LogText.trip(second: 0, status: "ENROUTE_TO_PICKUP", more: #","vehicleid":"v1""#)

    @Test func `attributes each call to its side`() throws {
        let steps = steps([
            LogText.trip("CreateTrip", second: 0, status: "NEW"),
            LogText.trip(second: 1, status: "ENROUTE_TO_PICKUP", more: #","vehicleid":"v1""#),
            Self.update(1, second: 2),
            LogText.trip("GetTrip", second: 4, status: "ENROUTE_TO_PICKUP", more: Self.location(1, at: 2)),
        ])
        #expect(steps.map(\.side) == [.server, .server, .driver, .rider])
        let sides = try #require(steps.last?.sides)
        #expect(sides.reports[.driver]?.method == "UpdateVehicle")
        #expect(sides.reports[.server]?.status == .enrouteToPickup)
        #expect(sides.reports[.server]?.method == "UpdateTrip")
        #expect(sides.reports[.rider]?.location?.coordinate == Coordinate(latitude: 1, longitude: 1))
        #expect(sides.differences.isEmpty)
    }

    @Test func `distinguishes an old answer to the rider from a rider who has not asked again`() {
        let reported = LogText.trip("GetTrip", second: 12, status: "NEW", more: Self.location(1, at: 2))
        let wrong = steps([assigned, Self.update(1, second: 2), Self.update(1.00001, second: 10), reported]).last
        #expect(wrong?.began.map(\.kind) == [.status, .positionOlder])
        #expect(wrong?.began.map(\.isFault) == [true, true])
        #expect(wrong?.began.last?.seconds == 8)
        let early = LogText.trip("GetTrip", second: 1, status: "ENROUTE_TO_PICKUP", more: Self.location(1, at: 0))
        let late = steps([assigned, early, Self.update(1, second: 30)]).last
        #expect(late?.began.map(\.kind) == [.positionNotFetched])
        #expect(late?.began.map(\.isFault) == [false])
    }

    @Test func `reports a position that the service changed, and its end`() {
        let moved = LogText.vehicle(
            second: 5,
            trips: ["t1"],
            request: #","vehicle":{\#(Self.location(1, at: 5).dropFirst())}"#,
            response: Self.location(1.01, at: 5)
        )
        let steps = steps([assigned, moved, Self.update(1, second: 10)])
        #expect(steps[1].began.map(\.kind) == [.positionApart])
        #expect(steps[2].ended == [.positionApart])
    }

    @Test func `reports refused calls of driver and rider with their number until one succeeds`() throws {
        let driver = #"{"vehicleid":"v1"}"#
        let steps = steps([
            assigned,
            Self.refused("UpdateVehicle", second: 1, request: driver, status: 403, code: "PERMISSION_DENIED"),
            Self.refused("UpdateVehicle", second: 2, request: driver, status: 403, code: "PERMISSION_DENIED"),
            Self.refused("GetTrip", second: 3, request: #"{"tripid":"t1"}"#, status: 403, code: "PERMISSION_DENIED"),
            Self.update(1, second: 4),
        ])
        #expect(steps.map(\.isRefused) == [false, true, true, true, false])
        #expect(steps[2].sides.errors[.driver]?.count == 2)
        #expect(steps[3].sides.errors[.rider]?.error.status == "PERMISSION_DENIED")
        #expect(steps[4].sides.errors.keys.sorted { $0.rawValue < $1.rawValue } == [.rider])
    }

    /// Returns the rules of the findings in a log and its changes about the age of the position.
    private func concluded(_ lines: [String]) -> (rules: [String], ages: [PositionAge.Reason?]) {
        var (log, table) = (LiveLog(trips: []), JourneyTable())
        let items = items(lines, &log) + log.handle(nil) { Moment(wall: $0, steady: .zero) }
        var (rules, ages): ([String], [PositionAge.Reason?]) = ([], [])
        for item in items {
            let (events, moment): ([FeedEvent], Moment)
            switch item {
            case .step(let step): (events, moment) = (step.events, step.moment)
            case .found(let journey, let findings, let at): (events, moment) = ([.found(journey, findings)], at)
            case .riderCall, .invalid, .tooManyTrips: continue
            }
            for change in events.flatMap({ table.apply($0, at: moment) }) {
                switch change.kind {
                case .findings(let findings): rules += findings.map(\.rule.id)
                case .positionAge(let age, _): ages.append(age?.reason)
                default: break
                }
            }
        }
        return (rules, ages)
    }

    @Test func `finds the silence of a vehicle with its next report, and the old position as soon as a rider asks`() {
        let moves = [assigned, Self.update(1, second: 5), Self.update(1.001, second: 10)]
        let back = [Self.update(1.01, second: 110), Self.update(1.011, second: 115)]
        let calls = stride(from: 12, to: 110, by: 5).map {
            LogText.trip("GetTrip", second: $0, status: "ENROUTE_TO_PICKUP", more: Self.location(1.001, at: 10))
        }
        let (alone, asked) = (concluded(moves + back), concluded(moves + calls + back))
        func positions(_ rules: [String]) -> [String] { rules.filter { $0.hasPrefix("position") } }
        #expect(positions(alone.rules) == ["positionStale", "positionGap"] && alone.ages.isEmpty)
        #expect(positions(asked.rules) == ["positionStale", "positionGap"] && asked.ages == [.driverSilent, nil])
    }

    /// An update of the vehicle with its way; `call` tells it from another one at the same second.
    private func report(_ second: Int, _ call: String = "", way: [Double], meters: Int, arrival: Int) -> String {
        let path = S2Polyline.encode(way.map { Coordinate(latitude: $0, longitude: $0) })
        let values =
            #","currentroutesegment":"\#(path)","remainingdistancemeters":\#(meters),"#
            + #""etatofirstwaypoint":"\#(LogText.time(arrival))""#
        return LogText.vehicle(second: second, trips: ["t1"], response: Self.location(1, at: second) + values)
            .replacing("\"i\(second)\"", with: "\"i\(second)\(call)\"")
    }

    @Test func `finds a new way that a driver reports in two calls, and nothing in between`() {
        let rules = concluded([
            assigned, report(5, way: [1, 1.01], meters: 1500, arrival: 200),
            report(10, way: [1, 1.01], meters: 1450, arrival: 200),
            report(15, way: [1, 1.01], meters: 4000, arrival: 500),
            report(15, "b", way: [1, 1.02], meters: 4000, arrival: 500),
            report(20, way: [1, 1.02], meters: 3950, arrival: 500),
        ])
        .rules
        #expect(rules.contains("rerouted"))
        #expect(!rules.contains("distanceGrew") && !rules.contains("arrivalJumped"), "\(rules)")
    }

    @Test func `examines the last state when the log ends`() {
        let rules = concluded([
            assigned, report(5, way: [1, 1.01], meters: 1500, arrival: 200),
            report(10, way: [1, 1.01], meters: 4000, arrival: 200),
        ])
        .rules
        #expect(rules.contains("distanceGrew"), "\(rules)")
    }

    @Test func `follows a trip that only the vehicle has named yet`() throws {
        let steps = steps([Self.update(1, second: 1), LogText.trip(second: 2, status: "ENROUTE_TO_DROPOFF")])
        #expect(steps.map(\.side) == [.driver, .server])
        #expect(steps[0].sides.reports[.server]?.status == nil)
        #expect(steps[1].sides.reports[.server]?.status == .enrouteToDropoff)
        #expect(!steps[0].events.isEmpty)
    }

    @Test func `shows the calls of a driver who names a trip without a vehicle`() throws {
        let steps = steps([LogText.trip("CreateTrip", second: 0, status: "NEW"), Self.update(1, second: 1)])
        #expect(steps.map(\.side) == [.server, .driver])
        #expect(steps.last?.sides.reports[.server]?.status == .new)
    }

    @Test func `skips duplicates, late entries, other projects, other logs and trips that were not asked for`() throws {
        let update = Self.update(1, second: 9)
        let other = update.replacing("providers/acme", with: "providers/other").replacing("\"i9\"", with: "\"i99\"")
        let foreign = #"{"insertId":"x","timestamp":"2026-01-01T00:00:00Z","textPayload":"hello"}"#
        let lines = [assigned, update, update, Self.update(2, second: 5), other, foreign]
        #expect(steps(lines).count == 2)
        #expect(steps(lines, trips: [try TripID("t2")]).isEmpty)
    }

    @Test func `counts the entries that came after newer ones`() {
        var log = LiveLog(trips: [])
        let updates = (1...9).reversed().map { Self.update(1, second: $0) }
        #expect(Self.steps(items([assigned] + updates, &log)).count == 2)
        #expect(log.lateEntries == 8)
    }

    @Test func `reads what was collected in order of time, and goes on with what is appended`() throws {
        let lines = [assigned] + (1...9).map { Self.update(1, second: $0) }
        let restricted =
            #"{"insertId":"r","jsonPayload":{"@type":"x.v1.UpdateTripRestrictedLog","parentInsertId":"i0","#
            + #""response":{"etaToFirstWaypoint":"\#(LogText.time(60))"}}}"#
        var log = LiveLog(trips: [])
        let text = (lines.reversed() + lines + [restricted, "{torn"]).joined(separator: "\n") + "\n" + "{\"half\":"
        var collects = true
        for byte in text.utf8 { collects = log.collect([byte]) && collects }
        #expect(collects)
        var steps: [LiveLog.Step] = []
        func now(_ time: Date) -> Moment { Moment(wall: time, steady: .zero) }
        while let items = log.handleCollected(3, now: now) {
            #expect(items.count <= 3)
            steps += Self.steps(items)
        }
        #expect(steps.count == lines.count && steps.map(\.time) == steps.map(\.time).sorted())
        #expect(steps.first?.sides.reports[.server]?.arrival != nil)
        #expect(log.lateEntries == 0 && log.skipped?.count == 1 && log.skipped?.first == lines.count * 2 + 2)
        let more = log.handle(Array("1}\n\(Self.update(1, second: 20))\n".utf8), now: now)
        #expect(Self.steps(more).count == 1 && log.skipped?.count == 1)
    }

    @Test func `names what a log without trips has instead`() {
        func failure(_ lines: [String]) -> RecordingError? {
            var log = LiveLog(trips: [])
            _ = items(lines, &log)
            return log.failure
        }
        let delivery = LogText.entry("UpdateDeliveryVehicle", second: 0, request: "{}", response: "{}")
        #expect(failure([delivery]) == .noTrips)
        #expect(failure([LogText.vehicle(second: 0, trips: [])]) == .noTrips)
        #expect(failure(["{}"]) == .otherKind(.otherJSON))
        #expect(failure([assigned]) == nil)
    }

    @Test func `reads messages of Pub/Sub and restricted parts`() throws {
        let entry = Data(LogText.trip("GetTrip", second: 1, status: "NEW").utf8).base64EncodedString()
        let pulled = #"[{"ackId":"a","message":{"data":"\#(entry)","messageId":"1"}}]"#
        #expect(steps([pulled]).map(\.side) == [.rider])
        let restricted =
            #"{"insertId":"r","jsonPayload":{"@type":"x.v1.GetTripRestrictedLog","parentInsertId":"i1","#
            + #""response":{"etaToFirstWaypoint":"\#(LogText.time(60))"}}}"#
        let whole = steps([restricted, LogText.trip("GetTrip", second: 1, status: "NEW")])
        #expect(whole.first?.sides.reports[.rider]?.arrival != nil)
    }

    @Test func `forgets ended trips, so that a long log is followed in bounded memory`() throws {
        var log = LiveLog(trips: [])
        for number in 0..<(LiveLog.maximumTrips + 500) {
            let id = "t\(number)"
            let lines = [
                LogText.trip("CreateTrip", id, second: 1, status: "NEW"),
                LogText.trip("UpdateTrip", id, second: 2, status: "COMPLETE"),
            ].map { $0.replacing("\"i", with: "\"\(number)i") }
            #expect(items(lines, &log).count == 2)
        }
        #expect(log.trips.count <= LiveLog.maximumTrips)
        #expect(log.sides(of: try .trip(TripID("t\(LiveLog.maximumTrips + 499)"))) != nil)
    }
}

@Suite(
    "A real log that is followed",
    .enabled(if: Shared.isThere, Shared.why),
    .ends(within: .quickTest)
)
struct LiveBayAreaTests {
    @Test func `has the same states as the imported recording, whatever the chunks`() throws {
        let trips = try BayArea.trips.get()
        let bytes = [UInt8](try Data(contentsOf: Shared.recording))
        for chunk in [1000, 1 << 16] {
            var log = LiveLog(trips: [])
            var states: [JourneyID: [Journey]] = [:]
            var rest = bytes[...]
            while !rest.isEmpty {
                for item in log.handle(Array(rest.prefix(chunk)), now: { Moment(wall: $0, steady: .zero) }) {
                    guard case .step(let step) = item else { continue }
                    for case .polled(let report, _, _) in step.events {
                        if case .success(let trip) = report.outcome { states[report.journey, default: []].append(trip) }
                    }
                }
                rest = rest.dropFirst(chunk)
            }
            #expect(log.entries == 542 && log.skipped == nil && log.lateEntries == 0)
            for timeline in trips.timelines {
                #expect(states[timeline.id] == timeline.snapshots.map(\.journey))
            }
        }
    }
}
