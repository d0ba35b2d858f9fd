/// What the table says about a failure.
extension Failure {
    /// The failure that decides: a failure of the token provider is about its cause.
    package var root: Failure { code.row.traits.contains(.isOfCause) ? cause?.root ?? self : self }

    /// The exit status of a program that ends with this failure.
    package var exitStatus: ExitStatus { root.code.row.exit }

    /// The party that must fix it; `nil` if there is none.
    package var party: Party? { root.code.row.party }

    /// When to try again.
    package var retry: RetryRule { root.code.row.retry }

    /// Whether it or its cause has a trait.
    package func has(_ trait: FailureRow.Traits) -> Bool {
        code.row.traits.contains(trait) || root.code.row.traits.contains(trait)
    }

    /// Whether a retry cannot succeed without a change by the user.
    public var isPermanent: Bool { has(.isPermanent) }

    /// Whether the source of tokens failed, or its answer.
    package var isOfSource: Bool {
        [.source, .sourceAnswer].contains(root.code.row.stage) || [.tokenDenied, .tokenNotFound].contains(code)
    }

    /// The name for programs with those of the causes, such as `unavailable.timed_out`.
    package var path: String {
        guard code.row.traits.contains(.isOfCause), let cause else { return name }
        return "\(name).\(cause.path)"
    }

    /// The name for programs; an error status of a source is a part of it, as in `status_404`.
    public var name: String {
        guard code.family == "source", code.name == "status", let status = number("status") else { return code.name }
        return "\(code.name)_\(status)"
    }
}
