/// What may have made the service refuse a token, with the checks that refute it.
package enum PossibleCause: Sendable, CaseIterable {
    /// The token has expired.
    case expired
    /// A clock is wrong.
    case wrongClock
    /// The service does not know the key.
    case unknownKey
    /// The token names nothing.
    case noIdentity
    /// The token names something else.
    case otherIdentity
    /// The account lacks a role.
    case noRole
    /// The API is not enabled.
    case apiDisabled

    /// The key of its text.
    package var text: TextKey {
        switch self {
        case .expired: .refusalExpired
        case .wrongClock: .refusalClock
        case .unknownKey: .refusalUnknownKey
        case .noIdentity: .refusalNoIdentity
        case .otherIdentity: .refusalOtherIdentity
        case .noRole: .refusalNoRole
        case .apiDisabled: .refusalAPI
        }
    }

    /// The rules of a token that refute it if the token obeys all of them; empty if a token shows nothing about it.
    private var rules: Set<TokenRule> {
        switch self {
        case .expired: [.expiry]
        case .wrongClock: [.issuedAt, .expiry]
        case .unknownKey: [.signature]
        case .noIdentity: [.authorization, .identity]
        case .otherIdentity: [.identity]
        case .noRole, .apiDisabled: []
        }
    }

    /// Returns whether a check of a refusal refutes it.
    fileprivate func isRefuted(by failure: Failure, status: Int?) -> Bool {
        if let satisfied = failure.satisfiedRules, !rules.isEmpty, rules.isSubset(of: satisfied) { return true }
        return switch self {
        // A 403 means that the service could read the token and knows its key, a 401 that it did not come to the role.
        case .expired, .unknownKey, .noIdentity: status == 403
        case .noRole: status == 401
        // Then the service has answered calls of the project.
        case .apiDisabled: failure.history.hasAnswer
        case .wrongClock, .otherIdentity: false
        }
    }
}

extension Failure {
    /// Returns the possible causes of a refusal with this HTTP status that no check refutes; `nil` if the table names none.
    package func possibleCauses(status: Int?) -> [PossibleCause]? {
        let all = row.possibleCauses
        return all.isEmpty ? nil : all.filter { !$0.isRefuted(by: self, status: status) }
    }
}
