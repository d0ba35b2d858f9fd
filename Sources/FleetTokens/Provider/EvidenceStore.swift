import TripModel

/// What was last heard of the tokens of some keys, beyond what decides about them: bounded.
struct EvidenceStore: Sendable {
    /// What is known of one key.
    struct Evidence: Sendable {
        var answer: TokenSourceAnswer?
        var rejected: RejectedToken?
    }

    /// The keys of which something is kept; the one of which nothing was heard for longest makes room.
    static let mostKeys = 256

    private var known: [AuthorizationContext: Evidence] = [:]
    private var order: [AuthorizationContext] = []

    /// What is known of a key.
    subscript(context: AuthorizationContext) -> Evidence? { known[context] }

    /// Keeps what came of a fetch or a refusal; what it says nothing about stays.
    mutating func record(_ evidence: Evidence, for context: AuthorizationContext) {
        guard evidence.answer != nil || evidence.rejected != nil else { return }
        var kept = known[context] ?? Evidence()
        kept.answer = evidence.answer ?? kept.answer
        kept.rejected = evidence.rejected ?? kept.rejected
        known[context] = kept
        order.removeAll { $0 == context }
        order.append(context)
        if order.count > Self.mostKeys { known[order.removeFirst()] = nil }
    }

    /// Forgets a key.
    mutating func remove(_ context: AuthorizationContext) {
        guard known.removeValue(forKey: context) != nil else { return }
        order.removeAll { $0 == context }
    }
}

extension TokenStatus {
    /// The same with what was last heard.
    func with(_ evidence: EvidenceStore.Evidence?) -> TokenStatus {
        var status = self
        status.lastAnswer = evidence?.answer
        status.lastRejected = evidence?.rejected
        return status
    }
}
