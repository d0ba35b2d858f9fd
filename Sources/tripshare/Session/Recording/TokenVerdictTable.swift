import FleetTokens
import Recording
import Runtime
import TripFeed
import TripScreen

/// The recorded inspections of stored tokens, until the screen has read their events.
///
/// A live screen and a replay show an inspection from the same table, so that both show the same. An inspection belongs to its
/// event and not to the token: the same token may be stored again, later or for another trip, with another result. Events that
/// are posted while the screen reads earlier ones change nothing of these.
struct TokenVerdictTable: Sendable {
    /// What distinguishes an event of a stored token from all others.
    private struct Key: Hashable {
        var context: AuthorizationContext
        var generation: Int
        var at: Duration

        init?(_ event: TokenEvent) {
            guard case .stored(let generation) = event.kind else { return nil }
            (context, self.generation, at) = (event.context, generation, event.at.steady)
        }
    }

    private struct Entry {
        /// The number of the event among all that were posted.
        var number: Int
        var key: Key
        var verdict: TokenVerdict
    }

    /// The maximum number of unread outcomes of a token in a mailbox.
    static let mostUnread = Backlog<FeedMailbox.Item>.maximumOutcomes

    /// The verdicts of events that the screen has not read, oldest first.
    private var unread: [AuthorizationContext: [Entry]] = [:]
    /// The verdicts of the events that the screen has read last.
    private var current: [Key: TokenVerdict] = [:]

    /// The number of inspections.
    var count: Int { unread.values.reduce(current.count) { $0 + $1.count } }

    /// Stores the inspection of an event, if there is one, with the number of the event among all that were posted.
    mutating func add(_ inspection: RecordedToken.Inspection?, of event: TokenEvent, number: Int) {
        guard let inspection, let key = Key(event) else { return }
        let verdict = TokenVerdict(
            claims: inspection.claims,
            findings: inspection.findings
        )
        var entries = unread[event.context, default: []]
        entries.append(Entry(number: number, key: key, verdict: verdict))
        unread[event.context] = entries.suffix(Self.mostUnread)
    }

    /// Notes that the screen reads the events up to a number; forgets those that it read before.
    mutating func read(upTo number: Int) {
        current = [:]
        for (context, entries) in unread {
            for entry in entries where entry.number <= number { current[entry.key] = entry.verdict }
            let rest = entries.filter { $0.number > number }
            unread[context] = rest.isEmpty ? nil : rest
        }
    }

    /// The inspection after an event that the screen has read last; `nil` for an event without an inspection.
    subscript(event: TokenEvent) -> TokenVerdict? { Key(event).flatMap { current[$0] } }
}
