import TripModel

/// The latest details about the tokens of some keys, for display; bounded.
struct EvidenceStore: Sendable {
    /// The details of one key.
    struct Evidence: Sendable {
        var answer: TokenSourceAnswer?
        var rejected: RejectedToken?
    }

    /// The maximum number of keys; the least recently updated one is removed first.
    static let mostKeys = 256

    private var known: [AuthorizationContext: Evidence] = [:]
    private var order: [AuthorizationContext] = []

    /// The details of a key.
    subscript(context: AuthorizationContext) -> Evidence? { known[context] }

    /// Merges the details of a fetch or a refusal; absent values do not overwrite known ones.
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

    /// Removes a key.
    mutating func remove(_ context: AuthorizationContext) {
        guard known.removeValue(forKey: context) != nil else { return }
        order.removeAll { $0 == context }
    }
}

extension TokenStatus {
    /// Returns the status with the latest details added.
    func with(_ evidence: EvidenceStore.Evidence?) -> TokenStatus {
        var status = self
        status.lastAnswer = evidence?.answer
        status.lastRejected = evidence?.rejected
        return status
    }
}
