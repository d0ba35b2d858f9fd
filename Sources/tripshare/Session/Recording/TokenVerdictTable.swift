import FleetTokens
import Recording
import TripScreen

/// The recorded inspections of tokens by their fingerprints.
///
/// A live screen and a replay show an inspection from the same table, so that both show the same.
struct TokenVerdictTable: Sendable {
    /// The maximum number of inspections; only the newest tokens are displayed.
    private static let limit = 1000

    private var verdicts: [String: TokenVerdict] = [:]

    /// Stores an inspection, if there is one.
    mutating func keep(_ inspection: RecordedToken.Inspection?, of event: TokenEvent) {
        guard let inspection, let fingerprint = event.status.fingerprint else { return }
        if verdicts.count >= Self.limit { verdicts = [:] }
        verdicts[fingerprint] = TokenVerdict(
            claims: inspection.claims,
            findings: inspection.findings.compactMap(\.finding)
        )
    }

    /// The inspection of the token with this fingerprint.
    subscript(fingerprint: String?) -> TokenVerdict? { fingerprint.flatMap { verdicts[$0] } }
}
