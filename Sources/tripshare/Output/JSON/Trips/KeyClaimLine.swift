import Runtime
import TripFeed

/// What may be said about the tokens of a trip at the time of a poll.
struct KeyClaimLine: Encodable {
    /// `used`, `renewed`, `replaced`, `missing` or `sourceFailed`.
    private let kind: String
    /// The number of the token.
    private var generation: Int?
    /// How often it was used, tokens were renewed, or the source failed.
    private var times: Int?
    /// How long the token that was renewed last would have been used on.
    private var leftSeconds: Double?
    /// The time between a refusal and the next answer, or without a token.
    private var seconds: Double?
    /// Whether no poll waited for a token or failed without one.
    private var withoutWait: Bool?
    /// Whether the answer after a refusal came before the poll after it was due.
    private var withoutGap: Bool?
    /// Whether a poll was answered since.
    private var over: Bool?
    /// The number of polls without a token.
    private var polls: Int?
    /// When the last event of the evidence was received, by this machine's clock.
    private let asOf: String
    /// The numbers of the events that support it.
    private let evidence: [Int]

    /// Creates the line of a claim; `nil` if no line has the events that support it, as those of a driver's calls.
    init?(_ claim: KeyClaim) {
        guard let time = claim.asOf else { return nil }
        (asOf, evidence) = (Timestamp.text(time.wall), claim.evidence.map(\.number.rawValue))
        switch claim.kind {
        case .used(let token, let count): (kind, generation, times) = ("used", token, count)
        case .renewed(let count, let left, let isWithoutWait):
            (kind, times, leftSeconds, withoutWait) = ("renewed", count, Self.rounded(left), isWithoutWait)
        case .replaced(let time, let isWithoutGap):
            (kind, seconds, withoutGap) = ("replaced", Self.rounded(time), isWithoutGap)
        case .missing(let time, let count, let isOver):
            (kind, seconds, polls, over) = ("missing", Self.rounded(time), count, isOver)
        case .sourceFailed(let count): (kind, times) = ("sourceFailed", count)
        case .opens, .driver: return nil
        }
    }

    /// Returns the claims after a poll, at the time of its end; `nil` without one.
    static func all(_ facts: JourneyFacts?, at time: Moment) -> [KeyClaimLine]? {
        guard let facts else { return nil }
        let interval = facts.schedule?.value.interval ?? .zero
        let lines = KeyClaim.all(of: facts.token.keys, interval: interval, at: time).compactMap(KeyClaimLine.init)
        return lines.isEmpty ? nil : lines
    }

    private static func rounded(_ duration: Duration) -> Double { (duration.seconds * 10).rounded() / 10 }
}
