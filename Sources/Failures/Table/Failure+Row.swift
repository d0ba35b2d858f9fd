/// What the table says about a failure.
extension Failure {
    /// One failure for each row of the table.
    package static var ofEachRow: [Failure] {
        let asked = FailureCode.allCases.filter { $0.row.ofSource != nil }.map { Failure($0, asked: .source) }
        let failures = FailureCode.allCases.map { Failure($0) }
        let start = failures.firstIndex { $0.row.stage == .source } ?? 0
        return failures[..<start] + asked + failures[start...]
    }

    /// The row of the table.
    package var row: FailureRow { (asked == .source ? code.row.ofSource : nil) ?? code.row }

    /// The failure that decides: a failure of the token provider is about its cause.
    package var root: Failure { row.traits.contains(.isOfCause) ? cause?.root ?? self : self }

    /// The exit status of a program that ends with this failure.
    package var exitStatus: ExitStatus {
        history.refusal?.exitStatus ?? afterAnswer?.exit ?? root.row.exit
    }

    /// What the table says about it after an earlier answer; `nil` if that makes no difference.
    package var afterAnswer: FailureRow.AfterAnswer? { history.hasAnswer ? row.afterAnswer : nil }

    /// Whether it contradicts earlier answers: it can't come from the service at the URL, so that the URL is right, or it is the
    /// service's 404 about a trip that it knew.
    package var contradictsAnswers: Bool { afterAnswer != nil }

    /// The party that the table names, without the evidence that ``Diagnosis`` considers; `nil` if there is none.
    package var party: Party? { root.row.party }

    /// When to try again.
    package var retry: RetryRule { root.row.retry }

    /// Whether it or its cause has a trait.
    package func has(_ trait: FailureRow.Traits) -> Bool {
        row.traits.contains(trait) || root.row.traits.contains(trait)
    }

    /// Whether a retry cannot succeed without a change by the user.
    public var isPermanent: Bool { has(.isPermanent) }

    /// Whether waiting certainly does not end it: no retry can succeed, its cause is not unknown, and nothing worked before with the
    /// same settings.
    package var needsChange: Bool {
        (isPermanent || [.never, .withNewTokenOnce].contains(retry)) && !history.hasAnswer && history.tokens == 0
            && !Diagnosis(self).isUnknown
    }

    /// Whether there was no token, so that there was no request.
    package var isMissingToken: Bool { row.stage == .provider }

    /// Whether the source of tokens failed, or its answer.
    package var isOfSource: Bool {
        [.source, .sourceAnswer].contains(root.row.stage) || [.tokenDenied, .tokenNotFound].contains(code)
    }

    /// The name for programs with the names of the causes, such as `unavailable.timed_out`.
    package var path: String {
        guard row.traits.contains(.isOfCause), let cause else { return name }
        return "\(name).\(cause.path)"
    }

    /// The name for programs, such as `timed_out`; an error status of a source is a part of it, as in `status_404`.
    public var name: String {
        let name = row.name ?? String(code.rawValue[code.rawValue.index(after: code.family.endIndex)...])
        guard name == "status", let status = self[.status] else { return name }
        return "\(name)_\(status)"
    }

    /// The code in JSON: the gRPC status if the service sent one.
    package var nameInJSON: String {
        if let name = answer?.name { return name }
        return switch (row.stage, code.family) {
        case (.provider, _): "TOKEN_\(path.uppercased())"
        case (.source, _): "TOKEN_UNAVAILABLE.\(name.uppercased())"
        case (.sourceAnswer, _): "TOKEN_MISSING_DATA.\(name.uppercased())"
        case (_, "fault"): "TOKEN_UNUSABLE.\(name.uppercased())"
        case (_, "transport"): "TRANSPORT_\(name.uppercased())"
        default: name.uppercased()
        }
    }
}

/// How far an attempt came that failed.
extension Failure {
    /// Whether a request was sent: there was a token, and no injected fault prevented it.
    package var isSent: Bool { !isMissingToken && injected?.isSent != false }

    /// Whether an injected fault prevented the request from being sent.
    package var isHeldBack: Bool { !isMissingToken && injected?.isSent == false }

    /// The first failure of the chain, which must be fixed first: the refusal that made a new token necessary, if there was one.
    package var origin: Failure { history.refusal?.origin ?? self }

    /// Whether the only failure is that there is no token.
    package var isOnlyMissingToken: Bool { isMissingToken && history.refusal == nil }

    /// Whether it is a 401, 403 or 404 of a gateway or a proxy: the answer is not in the form of the service's errors.
    package var isForeignRefusal: Bool {
        guard let answer, brokenRule == nil else { return false }
        return answer.isForeign && [401, 403, 404].contains(answer.httpStatus)
    }
}
