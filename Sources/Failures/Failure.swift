/// What went wrong: a row of the table of failures, with the values of this case, the evidence, the cause, and what happened
/// before.
///
/// It is the only type of errors between modules, from the socket to the sentence.
public struct Failure: Error, Sendable {
    /// The parts, outside of the value because errors are passed through many results.
    private final class Storage: Sendable {
        let parts: Parts

        init(_ parts: Parts) { self.parts = parts }
    }

    private struct Parts: Sendable {
        let code: FailureCode
        var asked = Asked.service
        var values: [String: FailureValue] = [:]
        var exchange: Exchange?
        let cause: Failure?
        var answer: ServiceAnswer?
        var brokenRule: TokenFinding?
        var satisfiedRules: Set<TokenRule>?
        var retryAfter: Duration?
        var history = History()
    }

    private var storage: Storage

    /// Who was asked when no complete answer was received.
    public enum Asked: String, Sendable, Hashable, CaseIterable {
        /// The service.
        case service
        /// A source of tokens.
        case source
    }

    /// The row of the table.
    public var code: FailureCode { storage.parts.code }
    /// The party that was asked, if the code belongs to a transport.
    public var asked: Asked { storage.parts.asked }
    /// The values of this case by the names of their keys, for the placeholders of the texts.
    package var values: [String: FailureValue] { storage.parts.values }
    /// What was sent and what came back; `nil` if nothing was sent.
    public package(set) var exchange: Exchange? {
        get { storage.parts.exchange }
        set { change { $0.exchange = newValue } }
    }
    /// The failure that caused this one; `nil` if it is the root.
    public var cause: Failure? { storage.parts.cause }
    /// The wait that the remote side or the provider of tokens requests; `nil` if there is none.
    public var retryAfter: Duration? { storage.parts.retryAfter }
    /// The service's error, or a gateway's; `nil` if there was no answer or another kind of answer.
    package var answer: ServiceAnswer? { storage.parts.answer }
    /// The rule that the refused token breaks; `nil` if no token was refused or it breaks none.
    package var brokenRule: TokenFinding? { storage.parts.brokenRule }
    /// The rules that the refused token obeys; `nil` if it was not inspected.
    package var satisfiedRules: Set<TokenRule>? {
        get { storage.parts.satisfiedRules }
        set { change { $0.satisfiedRules = newValue } }
    }
    /// What happened before.
    package var history: History {
        get { storage.parts.history }
        set { change { $0.history = newValue } }
    }

    /// Creates a failure.
    public init(
        _ code: FailureCode,
        asked: Asked = .service,
        exchange: Exchange? = nil,
        cause: Failure? = nil,
        retryAfter: Duration? = nil
    ) {
        var parts = Parts(code: code, exchange: exchange, cause: cause, retryAfter: retryAfter)
        parts.asked = asked
        storage = Storage(parts)
    }

    /// Creates the failure that an error answer means.
    package init(_ code: FailureCode, answer: ServiceAnswer, breaking rule: TokenFinding? = nil, retryAfter: Duration?)
    {
        self = Failure(code, retryAfter: retryAfter).with(answer, breaking: rule)
    }

    private mutating func change(_ change: (inout Parts) -> Void) {
        var parts = storage.parts
        change(&parts)
        storage = Storage(parts)
    }

    /// Returns the failure with its evidence; a failure that has evidence is returned unchanged.
    public func with(_ exchange: Exchange?) -> Failure {
        guard let exchange, self.exchange == nil else { return self }
        var failure = self
        failure.exchange = exchange
        return failure
    }

    /// Returns the failure with the service's error and the rule that the refused token breaks.
    func with(_ answer: ServiceAnswer?, breaking rule: TokenFinding?) -> Failure {
        var failure = self
        failure.change { ($0.answer, $0.brokenRule) = (answer, rule) }
        return failure
    }

    /// Returns the failure with other values of a file or of a key.
    func with(_ values: [String: FailureValue]) -> Failure {
        var failure = self
        failure.change { $0.values.merge(values) { $1 } }
        return failure
    }

    /// Returns the failure with another wait.
    package func retrying(after delay: Duration?) -> Failure {
        var failure = self
        failure.change { $0.retryAfter = delay }
        return failure
    }

    /// Returns the failure with what happened before.
    package func with(_ history: History) -> Failure {
        var failure = self
        failure.history = history
        return failure
    }
}

/// Two failures are equal if they say the same: the evidence about equal failures differs, and so does what happened before.
extension Failure: Equatable {
    /// Compares everything but the evidence and most of the history.
    ///
    /// From the history, only injected faults, the previous refusal and a contradiction to earlier answers count.
    public static func == (left: Failure, right: Failure) -> Bool {
        guard left.storage !== right.storage else { return true }
        let (one, other) = (left.storage.parts, right.storage.parts)
        return one.code == other.code && one.asked == other.asked && one.values == other.values
            && one.cause == other.cause
            && one.exchange?.fault == other.exchange?.fault && one.retryAfter == other.retryAfter
            && one.answer == other.answer && one.brokenRule == other.brokenRule
            && one.satisfiedRules == other.satisfiedRules
            && one.history.refusal == other.history.refusal && left.contradictsAnswers == right.contradictsAnswers
    }
}

extension Failure: CustomStringConvertible {
    /// The code, the source if it was asked, and the values, for logs of developers and messages of tests.
    public var description: String {
        let name = code.rawValue + (asked == .source ? " of source" : "")
        guard !values.isEmpty else { return name }
        return "\(name) \(values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })"
    }
}
