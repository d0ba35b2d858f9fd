import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// What each event changes of what is known about a trip.
@Suite("Journey table", .ends(within: .quickTest))
struct JourneyTableTests {
    private var scene: JourneyScene

    init() throws { scene = try JourneyScene() }

    private static let unavailable = Failure.service(ServiceAnswer(httpStatus: 503), retryAfter: nil)
    private static let forbidden = Failure.service(ServiceAnswer(httpStatus: 403), retryAfter: nil)

    @Test mutating func `the first poll begins a trip, and its answer shows the first status`() {
        let kinds = scene.answer()
        #expect(kinds.contains { if case .began = $0 { true } else { false } })
        #expect(kinds.contains { if case .status(.trip(.enrouteToPickup), before: nil) = $0 { true } else { false } })
        #expect(kinds.contains { if case .answered(_, before: nil) = $0 { true } else { false } })
        #expect(scene.facts?.status?.value == .trip(.enrouteToPickup))
        #expect(scene.facts?.status?.stamp.number.rawValue == 1)
    }

    @Test mutating func `a status is a fact of the answer that has shown it first`() {
        scene.answer()
        scene.answer()
        #expect(scene.facts?.status?.stamp.number.rawValue == 1 && scene.facts?.answer?.stamp.number.rawValue == 2)
        scene.trip.status = .arrivedAtPickup
        let kinds = scene.answer()
        #expect(
            kinds.contains {
                if case .status(.trip(.arrivedAtPickup), before: .trip(.enrouteToPickup)) = $0 { true } else { false }
            }
        )
        #expect(scene.facts?.status?.stamp.number.rawValue == 3)
    }

    @Test mutating func `a vehicle that is assigned to a new trip goes on with it, another one is another vehicle`()
        throws
    {
        (scene.trip.status, scene.trip.vehicleID) = (.new, nil)
        scene.answer()
        scene.trip.vehicleID = try VehicleID("v-1")
        let assigned = scene.answer()
        #expect(assigned.contains { if case .tour = $0 { true } else { false } })
        #expect(!assigned.contains { if case .vehicle = $0 { true } else { false } })
        scene.trip.vehicleID = try VehicleID("v-2")
        let changed = scene.answer()
        let names = changed.compactMap {
            if case .vehicle(let new, let old) = $0 { [old.rawValue, new.rawValue] } else { nil }
        }
        #expect(names == [["v-1", "v-2"]])
        #expect(changed.contains { if case .plan([.vehicleId]) = $0 { true } else { false } })
    }

    @Test mutating func `a failure is one change, another one too, and the end has the number of failed polls`() {
        scene.answer()
        #expect(scene.fail(Self.unavailable).contains { if case .failure(_, before: nil) = $0 { true } else { false } })
        #expect(!scene.fail(Self.unavailable).contains { if case .failure = $0 { true } else { false } })
        #expect(scene.fail(Self.forbidden).contains { if case .failure(_, before: .some) = $0 { true } else { false } })
        #expect(scene.facts?.failure?.value.httpStatus == 403)
        scene.apply(.omitted(scene.id, EventOmission(successes: 0, failures: ["HTTP_403": 4])))
        let counts = scene.answer().compactMap { if case .recovery(_, let count, true) = $0 { count } else { nil } }
        #expect(counts == [7])
        #expect(scene.facts?.failure == nil)
    }

    @Test mutating func `a failed poll changes nothing of what an answer has shown`() {
        scene.answer()
        let status = scene.facts?.status
        scene.fail(Self.unavailable)
        #expect(scene.facts?.status == status && scene.facts?.answer?.stamp.number.rawValue == 1)
    }

    @Test mutating func `the position is stale with a reason until the vehicle reports again`() {
        scene.answer()
        var reasons: [PositionAge.Reason?] = []
        for _ in 0..<10 {
            for case .positionAge(let age, _) in scene.answer(reports: false) { reasons.append(age?.reason) }
        }
        #expect(reasons == [.driverSilent])
        #expect(scene.facts?.staleness?.value == .driverSilent)
        let ended = scene.answer().compactMap { if case .positionAge(_, let before) = $0 { before } else { nil } }
        #expect(ended == [.driverSilent] && scene.facts?.staleness == nil)
    }

    /// Whether the changes of an event say that the vehicle reports again.
    private func reportsAgain(_ kinds: [JourneyChange.Kind]) -> Bool {
        kinds.contains { if case .reportsAgain = $0 { true } else { false } }
    }

    /// The polls of a minute, 5 s apart: whether the service answers, and whether the vehicle reports.
    @Test(
        arguments: [
            ([(12, false, true)], false), ([(12, true, false)], true), ([(12, false, false)], false),
            // The vehicle is silent in the answers before and after the outage, or only in those before it.
            ([(8, true, false), (12, false, false), (8, true, false)], true),
            ([(8, true, false), (12, false, true)], true),
            // The first answer after the outage shows that it is silent.
            ([(12, false, false), (1, true, false)], true), ([(4, true, false)], false),
        ] as [([(count: Int, answers: Bool, reports: Bool)], Bool)]
    )
    mutating func `a vehicle reports again after answers have shown its silence, not after an outage of the polls`(
        parts: [(count: Int, answers: Bool, reports: Bool)],
        isMentioned: Bool
    ) {
        scene.answer()
        for part in parts {
            for _ in 0..<part.count {
                let kinds = part.answers ? scene.answer(reports: part.reports) : scene.fail(Self.unavailable)
                #expect(!reportsAgain(kinds))
            }
        }
        #expect(reportsAgain(scene.answer()) == isMentioned)
        #expect(!reportsAgain(scene.answer()))
    }

    @Test mutating func `neither another vehicle nor a longer interval lets a silent vehicle report again`() throws {
        scene.answer()
        for _ in 0..<10 { scene.answer(reports: false) }
        scene.schedule.interval = .seconds(60)
        #expect(!reportsAgain(scene.answer(reports: false)))
        scene.trip.vehicleID = try VehicleID("v-2")
        #expect(!reportsAgain(scene.answer()))
    }

    @Test mutating func `a vehicle is silent by an answer, not by the time since the last one`() {
        scene.answer()
        for _ in 0..<5 { scene.answer(reports: false) }
        func reason(after seconds: Double) -> PositionAge.Reason? {
            // The scene is 5 s after the last answer, in which the report was 26 s old.
            let now = scene.now.advanced(by: .seconds(seconds - 5))
            return PositionAge(state: scene.state, schedule: scene.schedule, at: now)?.reason
        }
        #expect(reason(after: 4) == nil)
        #expect(reason(after: 5) == .unanswered && reason(after: 30) == .unanswered)
        #expect(reason(after: 31) == .pollingFails)
        scene.answer(reports: false)
        #expect(reason(after: 1) == .driverSilent)
    }

    /// Seconds by which the estimate moves at once, 600 s before the arrival.
    @Test(arguments: [(20.0, 0), (44, 0), (46, 1), (-46, 1)])
    mutating func `an estimate that moves by 45 s is a change`(shift: Double, count: Int) {
        scene.answer()
        scene.trip.pickupTime = JourneyScene.start + 600 + shift
        scene.trip.etaToFirstWaypoint = scene.trip.pickupTime
        #expect(scene.answer().count { if case .estimate = $0 { true } else { false } } == count)
        #expect(scene.answer().allSatisfy { if case .estimate = $0 { false } else { true } })
    }

    @Test mutating func `an approach comes within some minutes once, and is late again after it caught up`() {
        var (near, late): (Int, Int) = (0, 0)
        for shift in [0.0, 0, 130, 130, 30, 130] {
            scene.trip.pickupTime = JourneyScene.start + 600 + shift
            scene.trip.etaToFirstWaypoint = scene.trip.pickupTime
            for case .approach(let approach) in scene.answer() {
                if approach.comesWithin(minutes: 10) { near += 1 }
                if approach.becomesLate(minutes: 2) { late += 1 }
            }
        }
        #expect(near == 1 && late == 2)
    }

    @Test mutating func `the clocks differ from the answer on that shows it`() {
        #expect(!scene.answer(serviceAhead: 0).contains { if case .clocks = $0 { true } else { false } })
        #expect(scene.answer(serviceAhead: 90).contains { if case .clocks(.here) = $0 { true } else { false } })
        #expect(!scene.answer(serviceAhead: 90).contains { if case .clocks = $0 { true } else { false } })
        #expect(scene.answer(serviceAhead: 0).contains { if case .clocks(.agree) = $0 { true } else { false } })
    }

    @Test mutating func `a schedule changes with the interval and a pause, not with the next time`() {
        scene.answer()
        scene.schedule.next = .seconds(99)
        #expect(!scene.answer().contains { if case .schedule = $0 { true } else { false } })
        scene.schedule.interval = .seconds(7)
        #expect(
            scene.apply(.scheduled(scene.id, scene.schedule)).contains {
                if case .schedule = $0 { true } else { false }
            }
        )
        scene.schedule.isPaused = true
        #expect(
            scene.apply(.scheduled(scene.id, scene.schedule)).contains {
                if case .schedule = $0 { true } else { false }
            }
        )
    }

    @Test mutating func `a poll has the time for which it was planned`() {
        scene.schedule.next = .seconds(5)
        scene.answer()
        var during = scene.schedule
        during.next = nil
        scene.apply(.polling(scene.id, during), after: 0)
        let planned = scene.answer().compactMap { if case .polled(let planned) = $0 { planned } else { nil } }
        #expect(planned == [.seconds(5)])
    }

    @Test mutating func `a token that is missing, or repeated, is one change`() {
        func isToken(_ kind: JourneyChange.Kind) -> Bool { if case .token = kind { true } else { false } }
        let error = TokenEvent.Kind.failed(.unusable(.tokenBoundToAnother, retryAfter: .zero))
        scene.apply(.fetching(.needed))
        #expect(scene.apply(error).contains(where: isToken) && scene.facts?.token.missing != nil)
        #expect(scene.apply(error).isEmpty)
        #expect(scene.apply(.stored(generation: 1)).contains(where: isToken) && scene.facts?.token.missing == nil)
        let end = TokenEvent.Kind.repeated(endsAt: JourneyScene.start + 60)
        #expect(scene.apply(end).contains(where: isToken))
        #expect(scene.apply(end).isEmpty)
    }

    @Test mutating func `nothing is known of a trip after its end, also not of its late token`() {
        scene.answer()
        #expect(scene.apply(.ended(scene.id, .left)).contains { if case .ended(.left) = $0 { true } else { false } })
        #expect(scene.facts?.status != nil, "its end is judged by its facts")
        #expect(scene.table.count == 0)
        scene.apply(.stored(generation: 2))
        #expect(scene.facts == nil && scene.table.count == 0)
        #expect(scene.answer().contains { if case .status(_, before: nil) = $0 { true } else { false } })
    }

    @Test mutating func `a position has the time of the device, unless that is after its receipt`() {
        scene.answer()
        #expect(scene.facts?.position?.measured == JourneyScene.start - 2)
        scene.trip.lastLocation?.updateTime = JourneyScene.start + 999
        scene.answer(reports: false)
        #expect(scene.facts?.position != nil && scene.facts?.position?.measured == nil)
    }
}
