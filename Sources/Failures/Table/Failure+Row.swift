/// What the table says about a failure.
extension Failure {
    /// The failure that decides: a failure of the token provider is about its cause.
    package var root: Failure { code.row.traits.contains(.isOfCause) ? cause?.root ?? self : self }

    /// The exit status of a program that ends with this failure.
    package var exitStatus: ExitStatus {
        history.refusal?.exitStatus ?? afterAnswer?.exit ?? root.code.row.exit
    }

    /// What the table says about it after an earlier answer; `nil` if that makes no difference.
    package var afterAnswer: FailureRow.AfterAnswer? { history.hasAnswer ? code.row.afterAnswer : nil }

    /// Whether it contradicts earlier answers: it can't come from the service at the URL, so that the URL is right, or it is the
    /// service's 404 about a trip that it knew.
    package var contradictsAnswers: Bool { afterAnswer != nil }

    /// The party that the table names, without the evidence that ``Diagnosis`` considers; `nil` if there is none.
    package var party: Party? { root.code.row.party }

    /// When to try again.
    package var retry: RetryRule { root.code.row.retry }

    /// Whether it or its cause has a trait.
    package func has(_ trait: FailureRow.Traits) -> Bool {
        code.row.traits.contains(trait) || root.code.row.traits.contains(trait)
    }

    /// Whether a retry cannot succeed without a change by the user.
    public var isPermanent: Bool { has(.isPermanent) }

    /// Whether there was no token, so that there was no request.
    package var isMissingToken: Bool { code.row.stage == .provider }

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

    /// The code in JSON: the gRPC status if the service sent one.
    package var nameInJSON: String {
        isMissingToken ? "TOKEN_\(path.uppercased())" : answer?.name ?? code.nameInJSON
    }
}
