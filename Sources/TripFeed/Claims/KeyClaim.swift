package import FleetTokens
import Foundation
package import Runtime
package import TripModel

/// What a token opens, by its own claims.
package enum KeyScope: Sendable, Equatable {
    /// One journey and nothing else.
    case only(JourneyID)
    /// All trips, or all shipments, because the ID is a wildcard.
    case all

    /// Reads the claims of a journey's token; `nil` if they name something else, or more than the journey.
    package init?(_ claims: TokenClaims, of journey: JourneyID) {
        let context = AuthorizationContext.journey(journey)
        if claims.wildcards.contains(context.claimName) {
            self = .all
            return
        }
        guard claims.wildcards.isEmpty, claims.ids.count == 1, let own = claims.ids.first, own.kind == context.kind,
            own.id == context.id
        else { return nil }
        self = .only(journey)
    }
}

/// What may be said about the tokens of a journey, which are the keys to it, and the evidence for it.
package struct KeyClaim: Sendable, Equatable {
    /// What is claimed.
    package enum Kind: Sendable, Equatable {
        /// A token opens the journey only, or all of them.
        ///
        /// Needs the token's own claims. Ends with the next token.
        case opens(token: Int, KeyScope)
        /// The same token was sent with a number of polls that were answered.
        ///
        /// Needs these answers. Ends with the first answer with another token; beside what the current token opens, with that
        /// token.
        case used(token: Int, times: Int)
        /// Tokens were replaced while they were still good; `isWithoutWait`: no poll waited for a token or failed without one
        /// since the first token.
        ///
        /// Needs that the next token was stored before the last one ended. Never ends.
        case renewed(times: Int, left: Duration, isWithoutWait: Bool)
        /// The service refused a token; the next one was sent with a poll that was answered some time after the refusal,
        /// `isWithoutGap`: before the poll after it was due.
        ///
        /// Needs the refusal, the new token and the answer. Ends with the next refusal.
        case replaced(after: Duration, isWithoutGap: Bool)
        /// For a time, polls failed because there was no token; `isOver` is whether one was answered since.
        ///
        /// Needs the failed polls. Ends with the next gap.
        case missing(for: Duration, polls: Int, isOver: Bool)
        /// The source has failed, but no poll was without a token.
        ///
        /// Needs a failed fetch. Ends with a poll without a token.
        case sourceFailed(times: Int)
        /// The driver reports with a token of its own, which is for one vehicle.
        ///
        /// Needs a report that was accepted. Ends with a report with another token.
        case driver(vehicle: String, token: Int, times: Int)
    }

    /// What is claimed.
    package let kind: Kind
    /// The events that support it.
    package let evidence: [EventStamp]
    /// When the last of them was received.
    package var asOf: Moment? { evidence.last?.received }

    /// Returns what may be said: what the token opens and how often it was used first.
    ///
    /// - Parameters:
    ///   - facts: What the events have shown.
    ///   - scope: What the current token opens, with its number and the event that stored it; `nil` if that is unknown.
    ///   - interval: The time between two polls.
    ///   - now: The time, to which a gap goes on that is not over.
    /// - Returns: The claims.
    package static func all(
        of facts: KeyFacts,
        scope: (token: Int, scope: KeyScope, stored: EventStamp?)? = nil,
        interval: Duration,
        at now: Moment
    ) -> [KeyClaim] {
        var claims: [KeyClaim] = []
        func add(_ kind: Kind, _ evidence: [EventStamp?]) {
            claims.append(KeyClaim(kind: kind, evidence: evidence.compactMap(\.self)))
        }
        if let scope { add(.opens(token: scope.token, scope.scope), [scope.stored]) }
        // Beside what the current token opens, the uses of the last one would be taken for its own.
        if let use = facts.use, scope == nil || scope?.token == use.token {
            add(.used(token: use.token, times: use.count), [use.first, use.last])
        }
        if let refusal = facts.refusal, let stored = refusal.stored, let answered = refusal.answered {
            let time = answered.received.steady - refusal.event.received.steady
            add(.replaced(after: time, isWithoutGap: time <= interval), [refusal.event, stored, answered])
        }
        if let gap = facts.gap {
            let time = (gap.answered?.received ?? now).steady - gap.first.received.steady
            let kind = Kind.missing(for: time, polls: gap.polls, isOver: gap.answered != nil)
            add(kind, [gap.first, gap.answered])
        } else if facts.failures > 0, facts.waits == 0 {
            add(.sourceFailed(times: facts.failures), [facts.lastFailure])
        }
        if let renewals = facts.renewals {
            let kind = Kind.renewed(times: renewals.count, left: renewals.left, isWithoutWait: facts.isWithoutWait)
            add(kind, [renewals.last])
        }
        if let driver = facts.driver {
            let use = driver.use
            add(.driver(vehicle: driver.vehicle, token: use.token, times: use.count), [use.first, use.last])
        }
        return claims
    }
}
