import Foundation
import Runtime
import TripFeed
import TripModel

/// What the world says about a moment of a session, if its last answer is a certain one.
struct Truth {
    /// The clocks of the service and of this machine agree to this number of seconds.
    static let tolerance = 3.1

    let session: GeneratedSession
    /// What the answer shows.
    let known: GeneratedWorld.Knowledge
    /// The first forecast of the arrival at the end that an answer showed.
    let promised: Double?
    /// The moment.
    let second: Double

    /// The age at which news is old: three polls, at least half a minute.
    private var limit: Double { max(30, session.interval * 3) }
    /// How exactly the present is known by the service's clock, in seconds.
    private var present: Double { Self.tolerance + session.clockError }
    /// Whether the news is old, and whether it is current; near the limit it may be both.
    private var isOld: Bool { second - known.reportTime > limit - present }
    private var isCurrent: Bool { second - known.reportTime < limit + present }

    private func isNear(_ one: Double, _ other: Double, _ tolerance: Double = tolerance) -> Bool {
        abs(one - other) <= tolerance
    }

    private func stop(_ arrival: Arrivals.Arrival) -> GeneratedWorld.Stop? {
        switch arrival.kind {
        case .pickup: .pickup
        case .intermediateDestination: .between
        case .dropoff: .end
        case .unrecognized: nil
        }
    }

    /// Returns whether the answer has this forecast for a stop, at which the vehicle is not.
    private func isForecast(_ time: Date, for arrival: Arrivals.Arrival) -> Bool {
        stop(arrival).flatMap { known.expected[$0] }.map { isNear($0, session.second(time), 0.01) } ?? false
    }

    /// Returns whether the vehicle had not arrived at a stop at a time.
    ///
    /// A report of the vehicle is from before the arrival. Without a position only the service's knowledge counts.
    private func isAhead(_ arrival: Arrivals.Arrival, at time: Double) -> Bool {
        guard let stop = stop(arrival), let real = session.world.arrival(at: stop) else { return true }
        return (session.world.hidesPosition ? real.known : real.real) > time - Self.tolerance
    }

    // MARK: Predicates

    /// A kind of claim, and what must be true of the world as of its time.
    struct Rule: Sendable {
        let kind: String
        /// Returns what must be true; `nil` for a claim of another kind.
        let conditions: @Sendable (Claim, Truth) -> [(String, Bool)]?
    }

    static let rules: [Rule] = [
        Rule(kind: "expected") { claim, truth in
            guard case .expected(let stop, let time, let left) = claim.kind else { return nil }
            let (second, isOld) = (truth.session.second(time), claim.strength == .estimatedLongAgo)
            return [
                ("the service expects it then", truth.isForecast(time, for: stop)),
                ("the vehicle had not arrived", truth.isAhead(stop, at: truth.known.reportTime)),
                ("the time left", truth.isNear(second - truth.second, left.seconds, truth.present)),
                ("the time has not passed", second > truth.second - 1 - truth.present),
                ("its strength", isOld ? truth.isOld : claim.strength == .estimated && truth.isCurrent),
                ("as of the answer", truth.isNear(truth.session.second(claim.asOf), truth.known.time)),
            ]
        },
        Rule(kind: "overdue") { claim, truth in
            guard case .overdue(let stop, let time, let late) = claim.kind else { return nil }
            let (expected, asOf) = (truth.session.second(time), truth.session.second(claim.asOf))
            return [
                ("the service expected it then", truth.isForecast(time, for: stop)),
                ("the vehicle had not arrived", truth.isAhead(stop, at: asOf)),
                ("as of the report of the vehicle", truth.isNear(asOf, truth.known.reportTime)),
                ("there was a report after the expected time", asOf > expected - tolerance),
                ("counted up to the report", truth.isNear(asOf - expected, late.seconds)),
                ("the report is current", truth.isCurrent),
            ]
        },
        Rule(kind: "noReport") { claim, truth in
            guard case .noReport(let silence, let missed) = claim.kind else { return nil }
            let age = truth.second - truth.known.reportTime
            let isAge = ("the age of the report", truth.isNear(max(0, age), silence.seconds, truth.present))
            guard let missed else { return [isAge, ("the report is old", truth.isOld)] }
            let expected = truth.session.second(missed.expected)
            return [
                isAge, ("the service expected it then", truth.isForecast(missed.expected, for: missed.arrival)),
                ("the time has passed", expected < truth.second + truth.present),
                (
                    "no current report is from after it",
                    truth.isOld || truth.known.reportTime < expected + 1 + tolerance
                ),
            ]
        },
        Rule(kind: "atStop") { claim, truth in
            guard case .atStop(let arrival, let since) = claim.kind else { return nil }
            let (stop, second) = (truth.stop(arrival), truth.session.second(since))
            let real = stop.flatMap(truth.session.world.arrival(at:))?.real ?? .infinity
            return [
                ("the service shows it there", truth.known.here?.stop == stop),
                ("it came not later", second > real - tolerance),
                ("it came before", second < truth.second + truth.present),
            ]
        },
        Rule(kind: "reached") { claim, truth in
            guard case .reached(let arrival, let time, let delay) = claim.kind else { return nil }
            let done = truth.session.world.phases.first { $0.status == truth.known.status }
            let reached = truth.session.world.arrival(at: .end)
            let isOver = [.trip(.complete), .shipment(.succeeded)].contains(truth.known.status)
            let isThen = done.map { truth.isNear(truth.session.second(time), $0.known) } ?? false
            var conditions = [("the end", truth.stop(arrival) == .end), ("it is over", isOver), ("then", isThen)]
            if let delay = delay?.seconds {
                guard let reached, let promised = truth.promised else { return conditions + [("a promise", false)] }
                // Of a shipment, the arrival is known from the first answer at the stop; early may be even earlier.
                let late = reached.known - promised
                let first = max(30, truth.session.interval) + 2 * truth.session.longestWay
                let unknown = truth.session.world.kind == .trip ? 0 : delay <= 0 ? .infinity : first
                let isDelay = (late - tolerance...late + unknown + truth.present).contains(delay)
                conditions.append(("the delay", isDelay))
            }
            return conditions
        },
        Rule(kind: "ended") { claim, truth in
            guard case .ended(let status) = claim.kind else { return nil }
            let end = truth.session.world.phases.first { $0.status == status }?.known ?? .infinity
            return [
                ("the last status", truth.known.status == status && status.isTerminal),
                ("it is over", end <= truth.known.time + tolerance),
            ]
        },
    ]

    // MARK: All claims of a moment

    /// Returns what is false about the claims, what they contradict, and what they leave out.
    func problems(of claims: Claims) -> [String] {
        claims.all.flatMap(problems) + contradictions(in: claims) + omissions(from: claims)
    }

    private func problems(of claim: Claim) -> [String] {
        var problems: [String] = []
        if let until = claim.until, session.second(until) < second - present { problems.append("it has ended") }
        for rule in Self.rules {
            for (condition, isTrue) in rule.conditions(claim, self) ?? [] where !isTrue { problems.append(condition) }
        }
        return problems.map { "\($0): \(claim.kind)" }
    }

    private func contradictions(in claims: Claims) -> [String] {
        let stops = claims.all.compactMap(\.arrival).compactMap(stop)
        return (Set(stops).count < stops.count ? ["two claims about a stop"] : [])
            + (known.status.isTerminal && claims.all.contains { $0.kind.isOpen } ? ["open after the end"] : [])
    }

    private func omissions(from claims: Claims) -> [String] {
        var missing: [String] = []
        let open = claims.all.filter { $0.kind.isOpen }.compactMap(\.arrival).compactMap(stop)
        for stop in known.expected.keys where !open.contains(stop) {
            missing.append("nothing of an open arrival: \(stop)")
        }
        func has(_ isMeant: (Claim.Kind) -> Bool) -> Bool { claims.all.contains { isMeant($0.kind) } }
        if known.here != nil, !has({ if case .atStop = $0 { true } else { false } }) {
            missing.append("it is at a stop")
        }
        if known.status.isTerminal, !has({ if case .ended = $0 { true } else { false } }) {
            missing.append("it is over")
        }
        if !known.status.isTerminal, !isCurrent, !has({ if case .noReport = $0 { true } else { false } }) {
            missing.append("no news")
        }
        return missing
    }
}

extension Claim.Kind {
    /// Whether it is about an arrival that has not happened.
    fileprivate var isOpen: Bool {
        switch self {
        case .expected, .overdue, .notShown, .noReport(_, .some): true
        case .noReport(_, nil), .atStop, .reached, .ended: false
        }
    }
}
