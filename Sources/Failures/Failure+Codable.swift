/// Failures in recordings; what is read is bounded and redacted as if it were made anew.
extension Failure: Codable {
    /// An encoder that sorts the keys puts the code first, so that a reader finds it without decoding the rest.
    private enum Key: String, CodingKey {
        case code, exchange, finding, history, isOfSource
        case satisfiedRules = "keptRules"
        case retryAfter, serviceAnswer, underlying, values
    }

    /// The maximum number of failures in each other that are read.
    private static let mostNested = 5

    /// Reads a failure.
    ///
    /// An unknown code, which a newer program wrote, is read as another error with this code as its reason. So is a failure that
    /// is about its cause, if that is missing. Values with other names or types than this program's are left out.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        let name = try members.decode(String.self, forKey: .code)
        let depth = decoder.codingPath.count { [Key.underlying.rawValue, History.refusalKey].contains($0.stringValue) }
        let cause = depth < Self.mostNested ? try members.decodeIfPresent(Failure.self, forKey: .underlying) : nil
        guard let code = FailureCode(rawValue: name), cause != nil || !code.row.traits.contains(.isOfCause) else {
            self = .other(reason: EvidenceText.line(name, limit: 80))
            return
        }
        let values = try members.decodeIfPresent([String: FailureValue].self, forKey: .values) ?? [:]
        let isOfSource = try members.decodeIfPresent(Bool.self, forKey: .isOfSource) ?? false
        let read = Failure(
            code,
            asked: isOfSource && code.row.ofSource != nil ? .source : .service,
            exchange: try members.decodeIfPresent(Exchange.self, forKey: .exchange),
            cause: cause,
            retryAfter: try members.decodeIfPresent(Double.self, forKey: .retryAfter).map(Duration.init(evidence:))
        )
        let answer = try members.decodeIfPresent(ServiceAnswer.self, forKey: .serviceAnswer)
        let finding = try members.decodeIfPresent(KnownFinding.self, forKey: .finding)?.finding
        let history =
            depth < Self.mostNested ? try members.decodeIfPresent(History.self, forKey: .history) : nil
        let satisfied = try members.decodeIfPresent([String].self, forKey: .satisfiedRules)
        self = read.with(values.filter { $1.mayBeNamed($0) }).with(answer, breaking: finding).with(history ?? History())
        satisfiedRules = satisfied.map { Set($0.compactMap(TokenRule.init)) }
    }

    /// Writes the failure without possible tokens.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(code.rawValue, forKey: .code)
        if asked == .source { try members.encode(true, forKey: .isOfSource) }
        if !values.isEmpty { try members.encode(values, forKey: .values) }
        try members.encodeIfPresent(exchange, forKey: .exchange)
        try members.encodeIfPresent(cause, forKey: .underlying)
        try members.encodeIfPresent(answer, forKey: .serviceAnswer)
        try members.encodeIfPresent(brokenRule, forKey: .finding)
        try members.encodeIfPresent(satisfiedRules?.map(\.rawValue).sorted(), forKey: .satisfiedRules)
        try members.encodeIfPresent(retryAfter?.evidence, forKey: .retryAfter)
        if history != History() { try members.encode(history, forKey: .history) }
    }
}

extension FailureValue: Codable {
    private enum Key: String, CodingKey {
        case text, texts, term, number, bytes, seconds
    }

    /// The maximum number of texts of one value that are stored.
    private static let mostTexts = 20

    /// Reads a value: the only member.
    ///
    /// A file may hold any text as the key of one of this program's texts; an unknown one is shown as it is.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        if let text = try members.decodeIfPresent(String.self, forKey: .text) {
            self = .text(EvidenceText.recorded(text))
        } else if let texts = try members.decodeIfPresent([String].self, forKey: .texts) {
            self = .texts(texts.prefix(Self.mostTexts).map { EvidenceText.recorded($0) })
        } else if let key = try members.decodeIfPresent(String.self, forKey: .term) {
            self = TextKey(rawValue: key).map(FailureValue.term) ?? .text(EvidenceText.line(key, limit: 80))
        } else if let number = try members.decodeIfPresent(Int.self, forKey: .number) {
            self = .number(EvidenceText.number(number))
        } else if let bytes = try members.decodeIfPresent(Int.self, forKey: .bytes) {
            self = .bytes(EvidenceText.size(bytes))
        } else {
            self = .duration(Duration(evidence: try members.decode(Double.self, forKey: .seconds)))
        }
    }

    /// Writes the value.
    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        switch self {
        case .text(let text): try members.encode(EvidenceText.recorded(text), forKey: .text)
        case .texts(let texts):
            try members.encode(texts.prefix(Self.mostTexts).map { EvidenceText.recorded($0) }, forKey: .texts)
        case .term(let key): try members.encode(key.rawValue, forKey: .term)
        case .number(let number): try members.encode(number, forKey: .number)
        case .bytes(let bytes): try members.encode(bytes, forKey: .bytes)
        case .duration(let duration): try members.encode(duration.evidence, forKey: .seconds)
        }
    }
}

// The names of the values of failures: placeholders in texts and names in recordings. Each type of values has its own, so that
// the compiler finds a misspelt name and a value of another type.

/// The names of texts.
package enum FailureText: String, CaseIterable, Sendable {
    // Connections and answers; `said` is the title of a page or the position of a parser.
    case answered, host, reason, said
    // Sources of tokens; `errors` is the end of a helper's standard error.
    case errors, header, key, variable
    // Credentials of a backend; `origin` is where a token of another provider comes from.
    case account, audience, caller, claims, error, origin, path, permission, place, project, scopes
    case subject, type, value
    // Tokens
    case claim, endpoint, meant, name, token
    /// The form of the claim `authorization`.
    case authorization = "form"
    /// The status with which the service refused a token, as it is shown.
    case statusLabel = "status"
}

/// The names of numbers; `status` is the HTTP status or the exit status of a command.
package enum FailureNumber: String, CaseIterable, Sendable { case bytes, grpc, http, limit, signal, status }

/// The names of sizes in bytes.
package enum FailureSize: String, CaseIterable, Sendable { case sizeLimit = "limit" }

/// The names of durations.
package enum FailureDuration: String, CaseIterable, Sendable { case difference, duration, left, lifetime, wanted }

/// The names of lists.
package enum FailureList: String, CaseIterable, Sendable { case known, places }

/// The names of names of this program.
package enum FailureTerm: String, CaseIterable, Sendable {
    case form
    /// A reason in the words of this program.
    case namedReason = "reason"
}
