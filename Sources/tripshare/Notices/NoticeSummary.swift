/// What became of the notices of a session; each receiver of a notice counts.
struct NoticeSummary: Sendable, Equatable {
    /// The receiver has them.
    var delivered = 0
    /// How many deliveries were repetitions of earlier ones.
    var repeated = 0
    /// They wait for a receiver.
    var waiting = 0
    /// Those of ``waiting`` that the file does not have: they end with the session.
    var waitingUnstored = 0
    /// The receiver refused them.
    var refused = 0
    /// Their time was over before a receiver had them.
    var expired = 0
    /// They could not be stored, and were sent from memory.
    var unstored = 0
    /// The file in which notices wait; `nil` if they are in memory only.
    var path: String?

    /// How many were neither delivered nor stored.
    var lost: Int { path == nil ? waiting : waitingUnstored }
}
