import Foundation

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
