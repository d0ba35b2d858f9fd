package import Failures

/// A rule for the answers, polls and tokens of a trip: one entry of the rule table ``all``.
///
/// Its texts are named by their keys in `Assets/Strings`.
package struct FindingRule: Sendable, Identifiable {
    /// How long a finding applies.
    package enum Kind: Sendable, Hashable {
        /// Something that happened: each occurrence is reported.
        case event
        /// A state: it is reported when it begins and when it gets worse.
        case lasting
    }

    /// The identifier in JSON output and scenarios, in camelCase.
    package let id: String
    /// The title.
    package let title: TextKey
    /// The sentence, filled with the evidence; one for each of ``places``.
    package let sentence: TextKey
    /// Whether it is an event or a state.
    package let kind: Kind
    /// The usual severity; a ``Detection`` may have another severity.
    package let severity: Finding.Severity
    /// The names of the evidence in display order; empty if the evidence names itself.
    package let evidence: [String]
    /// The values of the evidence `place` for which the sentence has separate texts.
    package let places: [String]
    /// The thresholds that the evaluation uses.
    package let limits: [FindingLimit]
    /// What to check next; `nil` if the sentence says it all.
    package let advice: TextKey?
    /// Whether the event log shows the finding; `false` if another message of the log reports the same.
    package let isLogged: Bool
    /// Returns what the rule detects in a poll.
    let evaluate: @Sendable (PollStep) -> [Detection]

    private init(
        _ id: String,
        _ title: TextKey,
        _ sentence: TextKey,
        _ kind: Kind,
        _ severity: Finding.Severity,
        _ evidence: [String],
        places: [String] = [],
        limits: [FindingLimit] = [],
        advice: TextKey? = nil,
        isLogged: Bool = true,
        evaluate: @escaping @Sendable (PollStep) -> [Detection]
    ) {
        (self.id, self.title, self.sentence, self.kind) = (id, title, sentence, kind)
        (self.severity, self.evidence, self.places) = (severity, evidence, places)
        (self.limits, self.advice, self.isLogged, self.evaluate) = (limits, advice, isLogged, evaluate)
    }

    /// Creates a rule for every poll, including failed ones.
    static func poll(
        _ id: String,
        _ title: TextKey,
        _ sentence: TextKey,
        _ kind: Kind,
        _ severity: Finding.Severity,
        _ evidence: [String],
        advice: TextKey? = nil,
        isLogged: Bool = true,
        _ evaluate: @escaping @Sendable (PollStep) -> Detection?
    ) -> FindingRule {
        FindingRule(id, title, sentence, kind, severity, evidence, advice: advice, isLogged: isLogged) { step in
            evaluate(step).map { [$0] } ?? []
        }
    }

    /// Creates a rule for answers.
    static func answer(
        _ id: String,
        _ title: TextKey,
        _ sentence: TextKey,
        _ kind: Kind,
        _ severity: Finding.Severity,
        _ evidence: [String],
        limits: [FindingLimit] = [],
        advice: TextKey? = nil,
        isLogged: Bool = true,
        _ evaluate: @escaping @Sendable (AnswerStep) -> Detection?
    ) -> FindingRule {
        FindingRule(id, title, sentence, kind, severity, evidence, limits: limits, advice: advice, isLogged: isLogged) {
            step in
            step.answer.flatMap(evaluate).map { [$0] } ?? []
        }
    }

    /// Creates a rule for answers that is evaluated separately for several places of the trip.
    static func places(
        _ id: String,
        _ title: TextKey,
        _ sentence: TextKey,
        _ kind: Kind,
        _ severity: Finding.Severity,
        _ evidence: [String],
        places: [String],
        limits: [FindingLimit],
        _ evaluate: @escaping @Sendable (AnswerStep, String) -> Detection?
    ) -> FindingRule {
        FindingRule(id, title, sentence, kind, severity, evidence, places: places, limits: limits) { step in
            step.answer.map { answer in places.compactMap { evaluate(answer, $0) } } ?? []
        }
    }

    /// The rule table, in the order of evaluation.
    package static let all =
        polls + tokens + clocks + caches + statuses + vehicles + values + arrivals + shipments + positions + durations
        + plan
        + failures

    /// Returns the rule with an identifier.
    package static func named(_ id: String) -> FindingRule? { all.first { $0.id == id } }
}

extension FindingRule: ExpressibleByStringLiteral {
    /// The rule with an identifier that is written in source code; traps if the table has no such rule.
    package init(stringLiteral id: String) {
        guard let rule = Self.named(id) else { preconditionFailure("There is no finding rule \(id).") }
        self = rule
    }
}

extension FindingRule: Hashable {
    package static func == (one: FindingRule, other: FindingRule) -> Bool { one.id == other.id }

    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// What a rule detected in a poll.
struct Detection {
    /// The severity; `nil` for the rule's usual one.
    let severity: Finding.Severity?
    private let values: [Evidence.Value?]
    private let named: [Evidence]

    /// Creates a detection; the values are in the order of ``FindingRule/evidence``, and `nil` omits one.
    init(_ values: Evidence.Value?..., severity: Finding.Severity? = nil) {
        (self.values, self.severity, named) = (values, severity, [])
    }

    /// Creates a detection whose evidence names itself.
    init(named evidence: [Evidence]) {
        (named, values, severity) = (evidence, [], nil)
    }

    /// Returns the evidence under the names of a rule.
    func evidence(of rule: FindingRule) -> [Evidence] {
        assert(values.count == (named.isEmpty ? rule.evidence.count : 0), "evidence of \(rule.id)")
        return named + zip(rule.evidence, values).compactMap { name, value in value.map { Evidence(name, $0) } }
    }
}
