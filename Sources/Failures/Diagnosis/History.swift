package import Foundation

/// What is known about earlier attempts of the same step with the same settings.
package struct History: Sendable, Equatable {
    /// Failed attempts in a row.
    package struct Streak: Sendable, Equatable {
        /// The number of failed attempts.
        package let count: Int
        /// The end of the first one, by the local clock.
        package let since: Date
    }

    /// A good answer of the service.
    package struct Answer: Sendable, Equatable {
        /// When it came, by the local clock.
        package let at: Date
        /// The number of the token that it accepted; `nil` if it is unknown.
        package let token: Int?
    }

    /// The number of tokens that the source has returned for the same trip or vehicle.
    package var tokens = 0
    /// Whether the service has answered for the same trip or project.
    package var hasAnswer = false
    /// The last good answer of the service for the same trip; `nil` if there was none, or if it is unknown.
    package var lastAnswer: Answer?
    /// How often in a row one good answer has come between two failures of the same kind.
    package var alternations = 0
    /// How long the attempts have failed; `nil` if it is unknown.
    package var streak: Streak?
    /// The refusal that made a new token necessary, if there was none; `nil` if the failure itself is the root cause.
    package var refusal: Failure?
}

/// Histories in recordings; what is read is bounded.
extension History: Codable {
    private enum Key: String, CodingKey {
        case tokens, hasAnswer, answered, acceptedToken, alternations, failures, since, refusal
    }

    /// The key of the failure in a history.
    static let refusalKey = Key.refusal.rawValue

    /// The latest time that is read, in seconds since 1970: the year 5138.
    private static let latest = 1e11

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        self.init(
            tokens: EvidenceText.number(try members.decodeIfPresent(Int.self, forKey: .tokens) ?? 0),
            hasAnswer: try members.decodeIfPresent(Bool.self, forKey: .hasAnswer) ?? false,
            refusal: try members.decodeIfPresent(Failure.self, forKey: .refusal)
        )
        alternations = EvidenceText.number(try members.decodeIfPresent(Int.self, forKey: .alternations) ?? 0)
        if let time = try members.decodeIfPresent(Double.self, forKey: .answered) {
            let token = try members.decodeIfPresent(Int.self, forKey: .acceptedToken).map { EvidenceText.number($0) }
            lastAnswer = Answer(at: Self.date(time), token: token)
        }
        if let count = try members.decodeIfPresent(Int.self, forKey: .failures) {
            let since = try members.decode(Double.self, forKey: .since)
            streak = Streak(count: EvidenceText.number(count), since: Self.date(since))
        }
    }

    private static func date(_ seconds: Double) -> Date {
        Date(timeIntervalSince1970: min(max(seconds, 0), latest))
    }

    /// Writes the history; the evidence about the refusal is where the refusal was recorded.
    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        if tokens > 0 { try members.encode(tokens, forKey: .tokens) }
        if hasAnswer { try members.encode(true, forKey: .hasAnswer) }
        try members.encodeIfPresent(lastAnswer?.at.timeIntervalSince1970, forKey: .answered)
        try members.encodeIfPresent(lastAnswer?.token, forKey: .acceptedToken)
        if alternations > 0 { try members.encode(alternations, forKey: .alternations) }
        try members.encodeIfPresent(streak?.count, forKey: .failures)
        try members.encodeIfPresent(streak?.since.timeIntervalSince1970, forKey: .since)
        guard var refusal else { return }
        refusal.exchange = nil
        try members.encode(refusal, forKey: .refusal)
    }
}
