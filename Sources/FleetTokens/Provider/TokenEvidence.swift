/// The latest details about a key's tokens, for display.
struct TokenEvidence: Sendable {
    var answer: TokenSourceAnswer?
    var rejected: RejectedToken?
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
        guard evidence.answer != nil || evidence.rejected != nil else { return }
        let previous = remove(context)
        order.append(context)
        known[context] = TokenEvidence(
            answer: evidence.answer ?? previous?.answer,
            rejected: evidence.rejected ?? previous?.rejected
        )
        if order.count > Self.maximumKeys { remove(order[0]) }
    }

    @discardableResult
    mutating func remove(_ context: AuthorizationContext) -> TokenEvidence? {
        order.removeAll { $0 == context }
        return known.removeValue(forKey: context)
    }
}
