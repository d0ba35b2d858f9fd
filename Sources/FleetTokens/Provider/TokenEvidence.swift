import Failures

/// The latest details about a key's tokens, for display.
struct TokenEvidence: Sendable {
    var answer: TokenSourceAnswer?
    var rejected: RejectedToken?
    /// What was sent and what came back in the last fetch; `nil` if nothing was sent or the source does not describe it.
    var exchange: Exchange?
    /// Whether these are the details of a fetch, so that ``exchange`` replaces an earlier one.
    var isOfFetch = false
}

/// The details of the most recently updated keys.
struct TokenEvidenceStore: Sendable {
    private static let maximumKeys = 256

    private var known: [AuthorizationContext: TokenEvidence] = [:]
    /// The keys, the least recently updated one first.
    private var order: [AuthorizationContext] = []

    subscript(context: AuthorizationContext) -> TokenEvidence? { known[context] }

    /// Merges the details of a fetch or a rejection; absent values do not overwrite known ones.
    mutating func record(_ evidence: TokenEvidence, for context: AuthorizationContext) {
        let previous = known[context]
        guard
            evidence.answer != nil || evidence.rejected != nil || evidence.exchange != nil || previous?.exchange != nil
        else { return }
        remove(context)
        order.append(context)
        known[context] = TokenEvidence(
            answer: evidence.answer ?? previous?.answer,
            rejected: evidence.rejected ?? previous?.rejected,
            exchange: evidence.isOfFetch ? evidence.exchange : previous?.exchange
        )
        if order.count > Self.maximumKeys { remove(order[0]) }
    }

    @discardableResult
    mutating func remove(_ context: AuthorizationContext) -> TokenEvidence? {
        order.removeAll { $0 == context }
        return known.removeValue(forKey: context)
    }
}
