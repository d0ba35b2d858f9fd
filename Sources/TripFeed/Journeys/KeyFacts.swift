import Failures
import FleetTokens
import Foundation
import Runtime

/// What the events have shown of the use of a journey's tokens, which are the keys to it, and of its driver's token.
package struct KeyFacts: Sendable, Equatable {
    /// The answered calls with one token.
    package struct Use: Sendable, Equatable {
        /// The number of the token, from 1.
        package let token: Int
        /// The number of the answered calls with it.
        package fileprivate(set) var count = 1
        /// The first and the last one.
        package let first: EventStamp
        package fileprivate(set) var last: EventStamp

        init(_ token: Int, _ stamp: EventStamp) { (self.token, first, last) = (token, stamp, stamp) }
    }

    /// The replacements of tokens that were still good.
    package struct Renewals: Sendable, Equatable {
        /// Their number.
        package fileprivate(set) var count = 1
        /// The last one.
        package fileprivate(set) var last: EventStamp
        /// How long the replaced token would have been used on, at the last one.
        package fileprivate(set) var left: Duration
    }

    /// A token that the service refused, and what followed.
    package struct Refusal: Sendable, Equatable {
        /// The refusal.
        package let event: EventStamp
        /// When the next token was stored; `nil` before.
        package fileprivate(set) var stored: EventStamp?
        /// The first answer with that token; `nil` before.
        package fileprivate(set) var answered: EventStamp?
    }

    /// Polls in a row that could not be made, because the source gave no token.
    package struct Gap: Sendable, Equatable {
        /// The first one.
        package let first: EventStamp
        /// Their number.
        package fileprivate(set) var polls = 1
        /// The next answer; `nil` before.
        package fileprivate(set) var answered: EventStamp?
    }

    /// The driver's token, with which the vehicle reports.
    package struct DriverUse: Sendable, Equatable {
        /// The ID of the vehicle.
        package let vehicle: String
        /// The accepted reports with it.
        package fileprivate(set) var use: Use
    }

    /// Whether polls waited for tokens after the first one.
    package struct Waits: Sendable, Equatable {
        /// The number of tokens that replaced one that was still good.
        package private(set) var renewals = 0
        /// The number of tokens that polls waited for.
        package private(set) var waits = 0
        /// The number of polls that failed without a token.
        package private(set) var missed = 0

        /// Creates what is known before the first token.
        init() {}

        init(_ facts: KeyFacts) {
            (renewals, waits, missed) = (facts.renewals?.count ?? 0, facts.waits, facts.missed)
        }

        /// Whether no poll had to wait, and none failed.
        package var isNone: Bool { waits == 0 && missed == 0 }
    }

    /// The use of the token of the last answer; `nil` before.
    package private(set) var use: Use?
    /// The renewals; `nil` without one.
    package private(set) var renewals: Renewals?
    /// The last refusal; `nil` without one.
    package private(set) var refusal: Refusal?
    /// The number of fetches after the first token that polls had to wait for.
    package private(set) var waits = 0
    /// The last gap; `nil` without one.
    package private(set) var gap: Gap?
    /// The number of polls that failed without a token.
    package private(set) var missed = 0
    /// The number of fetches that failed.
    package private(set) var failures = 0
    /// The last one; `nil` without one.
    package private(set) var lastFailure: EventStamp?
    /// The driver's token; `nil` except in a demo.
    package private(set) var driver: DriverUse?

    /// Creates the facts of a journey without events.
    package init() {}

    /// Whether a token has replaced another one, and no poll has ever waited for it or failed without it.
    package var isWithoutWait: Bool { renewals != nil && waits == 0 && missed == 0 }

    // MARK: Events

    /// Records an event of the token; `before` is the status before it.
    mutating func apply(_ event: TokenEvent, after before: TokenStatus?, _ stamp: EventStamp) {
        switch event.kind {
        case .fetching:
            let keepsWaiting = event.status.state == .fetching || event.status.state == .invalidated
            if keepsWaiting, event.status.generation > 0 { waits += 1 }
        case .stored:
            if let refusal, refusal.stored == nil {
                self.refusal?.stored = stamp
            } else if let before, let end = before.usableUntil ?? before.expiresAt, Self.usable.contains(before.state) {
                let now = event.at.wall.addingTimeInterval(before.clockOffset?.seconds ?? 0)
                let left = end.timeIntervalSince(now)
                guard left > 0, before.generation > 0 else { return }
                var all = renewals ?? Renewals(count: 0, last: stamp, left: .zero)
                (all.count, all.last, all.left) = (all.count + 1, stamp, .seconds(left))
                renewals = all
            }
        case .rejected: refusal = Refusal(event: stamp)
        // A pause after a refusal of the service says nothing about the source, which has given the token.
        case .failed(let error) where error.failure.rejection != nil: break
        case .failed:
            failures += 1
            lastFailure = stamp
        case .repeated, .discardedLate, .clockDisagreement, .evicted, .omitted, .closed: break
        }
    }

    /// The states with a token that callers get.
    private static let usable: Set<TokenState> = [.fresh, .refreshingAhead, .stale]

    /// Records a complete poll with a token of the journey.
    mutating func apply(_ report: PollReport, _ stamp: EventStamp) {
        guard let failure = report.failure else {
            if gap?.answered == nil { gap?.answered = stamp }
            guard let token = report.call?.token else { return }
            use = Self.next(use, token, stamp)
            if refusal?.stored != nil, refusal?.answered == nil { refusal?.answered = stamp }
            return
        }
        guard failure.isOnlyMissingToken else { return }
        missed += 1
        guard failure.rejection == nil else {
            // The source has given a token since, which the service refused.
            if gap?.answered == nil { gap = nil }
            return
        }
        if gap == nil || gap?.answered != nil { gap = Gap(first: stamp) } else { gap?.polls += 1 }
    }

    /// Records a call of the driver.
    mutating func apply(_ call: Call, _ stamp: EventStamp) {
        guard call.failure == nil, let token = call.token, let vehicle = Self.vehicle(of: call) else { return }
        let use = driver?.vehicle == vehicle ? driver?.use : nil
        driver = DriverUse(vehicle: vehicle, use: Self.next(use, token, stamp))
    }

    private static func next(_ use: Use?, _ token: Int, _ stamp: EventStamp) -> Use {
        guard var use, use.token == token else { return Use(token, stamp) }
        (use.count, use.last) = (use.count + 1, stamp)
        return use
    }

    /// Returns the ID of the vehicle in the path of a driver's call; `nil` for another path.
    private static func vehicle(of call: Call) -> String? {
        let parts = call.request.path.split(separator: "/").map(String.init)
        guard let place = parts.lastIndex(where: { $0 == "vehicles" || $0 == "deliveryVehicles" }),
            place + 1 < parts.count
        else { return nil }
        let id = parts[place + 1].prefix { $0 != "?" && $0 != ":" }
        return id.isEmpty ? nil : String(id)
    }
}
