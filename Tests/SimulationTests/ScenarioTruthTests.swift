import FleetEmulator
import Foundation
import Runtime
import Synchronization
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import tripshare

/// Claims about the trips of every scenario, compared with what the emulator's world had stored when it answered.
///
/// They are judged with each event of the feed, and before it, when they are oldest. A fault between the world and the rider hides
/// the truth: after an answer that it has changed, nothing is judged until the next answer.
@Suite("Truth of claims about scenarios", .serialized, .ends(within: .longTest))
struct ScenarioTruthTests {
    @Test(arguments: ["ride"] + Scenario.names)
    func `no claim contradicts the emulator's world`(name: String) async throws {
        let scenario = try #require(name == "ride" ? Scenario.plainRide(seed: 1) : Scenario.named(name))
        let clock = VirtualClock(start: scenario.begins ?? VirtualClock.start)
        let judge = ClaimJudge(scenario)
        let failures = try await ScenarioRun.play(
            scenario,
            clock: clock,
            captions: SceneCaptions(),
            feed: { judge.handle($0, at: clock.now()) },
            logged: { judge.answered($0, at: clock.truth) },
            served: { judge.begin(with: $0) }
        )
        #expect(failures == [])
        let (problems, claims) = judge.result
        #expect(problems.isEmpty, "\(problems.prefix(5).joined(separator: "\n"))")
        #expect(claims > 20, "hardly a claim was judged")
    }
}

/// Collects what is false about the claims of a session.
private final class ClaimJudge: Sendable {
    private struct State {
        var service: FleetService?
        var table = JourneyTable()
        /// What the world had stored when it answered last.
        var answers: [JourneyID: (time: Date, trip: Trip, before: Date?)] = [:]
        /// The truth about the last answer that reached the rider unchanged, and its event.
        var truths: [JourneyID: (truth: ScenarioTruth, event: EventNumber)] = [:]
        /// The first arrivals at the end that answers showed.
        var promises: [JourneyID: Date] = [:]
        /// The journeys whose first arrival a fault may have changed or hidden.
        var unknownPromises: Set<JourneyID> = []
        var problems: [String] = []
        var claims = 0
    }

    private let journeys: [JourneyID]
    private let isSparse: Bool
    private let state = Mutex(State())

    init(_ scenario: Scenario) {
        journeys = scenario.journeys
        isSparse = LogLimits.lostFields[scenario.name] != nil
        if isSparse { state.withLock { $0.unknownPromises = Set(scenario.journeys) } }
    }

    /// The problems, and the number of judged claims.
    var result: (problems: [String], claims: Int) { state.withLock { ($0.problems, $0.claims) } }

    func begin(with service: FleetService) { state.withLock { $0.service = service } }

    /// Asks the world for what it has just answered, as the line of its log says.
    func answered(_ line: [UInt8], at now: Date) {
        let text = String(decoding: line, as: UTF8.self)
        guard text.contains(".GetTripLog"), let service = state.withLock(\.service) else { return }
        for journey in journeys where text.contains(journey.rawValue) {
            guard case .trip(let id) = journey,
                case .trip(let trip, _)? = try? service.call(
                    .getTrip(id, TripConditions()),
                    by: Caller(role: .server, tripID: "*", vehicleID: "*"),
                    at: now
                )
            else { continue }
            state.withLock { state in
                let last = state.answers[journey]
                let before = last.flatMap { $0.trip.status == trip.status ? $0.before : $0.time }
                state.answers[journey] = (now, trip, before)
            }
        }
    }

    func handle(_ event: FeedEvent, at now: Moment) {
        state.withLock { state in
            judge(event.journey, at: now, &state)
            _ = state.table.apply(event, at: now)
            if case .polled(let report, _, _) = event, report.failure == nil {
                remember(report, &state)
            }
            judge(event.journey, at: now, &state)
        }
    }

    private func remember(_ report: PollReport, _ state: inout State) {
        let journey = report.journey
        guard report.faultNames == nil, let answer = state.answers[journey] else {
            state.truths[journey] = nil
            if state.promises[journey] == nil { state.unknownPromises.insert(journey) }
            return
        }
        if state.promises[journey] == nil, let promised = answer.trip.dropoffTime, !answer.trip.status.isTerminal {
            state.promises[journey] = promised
        }
        let truth = ScenarioTruth(
            time: answer.time,
            trip: answer.trip,
            before: answer.before,
            promised: state.unknownPromises.contains(journey) ? nil : state.promises[journey],
            isSparse: isSparse
        )
        state.truths[journey] = (truth, state.table.lastEvent)
    }

    private func judge(_ journey: JourneyID, at now: Moment, _ state: inout State) {
        guard let (truth, event) = state.truths[journey], let facts = state.table[journey],
            let claims = facts.claims(at: now)
        else { return }
        // Three polls, at least half a minute.
        let limit = max(30, 3 * (facts.schedule?.value.interval.seconds ?? 0))
        state.claims += claims.all.count
        let evidence = claims.all.filter { $0.evidence != [event] }.map { "the evidence: \($0.kind)" }
        state.problems += (evidence + truth.problems(of: claims, at: now.wall, oldAfter: limit)).map {
            "\(journey), \(now.steady.seconds) s, \(truth.trip.status): \($0)"
        }
    }
}
