/// What the active faults change in one answer.
struct FaultEffects: Sendable {
    /// The delay of the answer.
    var delay = Duration.zero
    /// The remote clock minus the emulator's clock.
    var clockOffset = Duration.zero
    /// The defects of a token in the answer.
    var token = TokenDefects()
    /// What is wrong at the credential endpoints.
    var problems: Set<CredentialProblem> = []
    private var responseChanges: [@Sendable (inout PlainResponse) -> Void] = []

    /// Adds the effects of faults in their order.
    init(_ faults: [Fault] = []) {
        for fault in faults { fault.kind.apply(fault.values, &self) }
    }

    /// Adds a change of the answer.
    mutating func changeResponse(_ change: @escaping @Sendable (inout PlainResponse) -> Void) {
        responseChanges.append(change)
    }

    /// Changes an answer.
    func apply(to response: inout PlainResponse) {
        for change in responseChanges { change(&response) }
    }
}

/// The requested defects of a token.
struct TokenDefects: Sendable {
    /// The lifetime; `nil` for the configured one.
    var lifetime: Duration?
    /// The number of characters that are appended to the token.
    var padding = 0
    private var claimChanges: [@Sendable (inout FleetClaims) -> Void] = []

    /// Adds a change of the claims before the token is signed.
    mutating func changeClaims(_ change: @escaping @Sendable (inout FleetClaims) -> Void) {
        claimChanges.append(change)
    }

    /// Changes the claims of a token.
    func apply(to claims: inout FleetClaims) {
        for change in claimChanges { change(&claims) }
    }
}
