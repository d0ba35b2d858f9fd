package import Runtime
import TripModel

/// A key of an expectation: what can be written and what it means; the schema and the manual are made of these.
package struct ExpectationKey: Sendable {
    /// What can be written.
    package enum Form: Sendable {
        case text
        /// A number of seconds from 0 to a day.
        case seconds
        /// A whole number of at least 0.
        case count
        case flag
        /// Two numbers.
        case range
        /// A status or a list of statuses.
        case statuses
        /// A list of at least two statuses.
        case order
        case finding
        /// A comparison or a list of comparisons.
        case checks
        /// A status or a comparison.
        case occasion
        /// Only this word.
        case word(String)
    }

    /// The key.
    package let name: String
    /// What can be written.
    package let form: Form
    /// What it means, in English, without a full stop.
    package let summary: String

    private init(_ name: String, _ form: Form, _ summary: String) {
        (self.name, self.form, self.summary) = (name, form, summary)
    }

    /// The keys in the order of the manual.
    package static let all = [
        ExpectationKey("name", .text, "its name in the list and the report; by default the conditions themselves"),
        ExpectationKey(
            "trip",
            .text,
            "the trip, or the shipment as `taskTrackingInfo/ID`; by default the first followed one"
        ),
        ExpectationKey("trips", .word("all"), "`all`: each followed trip is judged, with a result of its own"),
        ExpectationKey(
            "status",
            .statuses,
            "one status that the trip must have reached or passed, or a list of statuses, one of which it must have now; of a shipment OPEN, SUCCEEDED, FAILED or CLOSED"
        ),
        ExpectationKey("order", .order, "statuses that must be seen in this order"),
        ExpectationKey("check", .checks, "a comparison such as `latency.p95 < 500 ms`, or a list of them"),
        ExpectationKey("overdue", .seconds, "short for `check: overdue >= …`"),
        ExpectationKey("position-age", .seconds, "short for `check: position-age >= …`"),
        ExpectationKey("delay", .range, "`[from, to]`, short for `check: [delay >= …, delay <= …]`"),
        ExpectationKey("others-ahead", .count, "short for `check: others-ahead >= …`"),
        ExpectationKey("finding", .finding, "the name of a finding that was reported"),
        ExpectationKey("failing", .flag, "whether the last poll failed"),
        ExpectationKey("within", .seconds, "time limit in seconds; by default the end of the trip or the session"),
        ExpectationKey(
            "after",
            .occasion,
            "a status or a comparison: the expectation and its time limit begin at the first poll that shows it"
        ),
        ExpectationKey(
            "until",
            .occasion,
            "a status or a comparison: the expectation ends before the first poll that shows it; what must become true "
                + "may do so at that poll"
        ),
        ExpectationKey("throughout", .flag, "`true`: once they are true, the conditions must stay true"),
        ExpectationKey(
            "always",
            .flag,
            "`true`: the conditions must be true at each poll; unknown values do not count"
        ),
        ExpectationKey("never", .flag, "`true`: the conditions must not become true"),
        ExpectationKey(
            "grace",
            .seconds,
            "seconds: how long after `within` the conditions may become true, and how long they may be false with "
                + "`throughout` and `always`; by default 0"
        ),
        ExpectationKey(
            "ask",
            .text,
            "a question that the tester answers on the screen; only `name`, `trip` and `after` can be combined with it"
        ),
    ]
}

extension ExpectationKey {
    /// Returns the JSON Schema (draft 7) of a file of expectations; `findings` are the names of findings.
    package static func schema(findings: [String]) -> JSONValue {
        let keys = all.map { key in
            var members = key.form.schema(findings)
            members.append(.init(key: "description", value: .string(key.summary)))
            return JSONValue.Member(key: key.name, value: .object(members))
        }
        return .object([
            "$schema": .string("http://json-schema.org/draft-07/schema#"),
            "title": .string("Expectations of tripshare"),
            "type": .string("object"),
            "additionalProperties": .bool(false),
            "required": .array([.string("expect")]),
            "properties": .object([
                "expect": .object([
                    "type": .string("array"),
                    "minItems": .number(1),
                    "maxItems": .number(Double(ExpectationFile.maximumCount)),
                    "items": .object([
                        "type": .string("object"),
                        "additionalProperties": .bool(false),
                        "properties": .object(keys),
                    ]),
                ])
            ]),
        ])
    }

    /// The regular expression of comparisons.
    static var checkPattern: String {
        let names = MeasureForm.all.map { form in
            let name = form.id.replacing(".", with: #"\."#)
            return switch form.argument {
            case .none: name
            case .optional: name + #"(\..+)?"#
            case .needed, .field: name + #"\..+"#
            }
        }
        let relations = MeasureCheck.Relation.allCases.map(\.rawValue)
        return #"^\s*("# + names.joined(separator: "|") + #")\s*("# + relations.joined(separator: "|") + #")\s*\S.*$"#
    }
}

extension ExpectationKey.Form {
    fileprivate func schema(_ findings: [String]) -> [JSONValue.Member] {
        func words(_ words: [String]) -> JSONValue { .object(["enum": .array(words.map(JSONValue.string))]) }
        func list(of item: JSONValue, atLeast count: Int = 1) -> JSONValue {
            .object(["type": .string("array"), "minItems": .number(Double(count)), "items": item])
        }
        func either(_ values: JSONValue...) -> JSONValue { .object(["anyOf": .array(values)]) }
        let status = words(JourneyStatus.known.map(\.name))
        let check = JSONValue.object([
            "type": .string("string"), "pattern": .string(ExpectationKey.checkPattern),
        ])
        let value: JSONValue =
            switch self {
            case .text: .object(["type": .string("string"), "minLength": .number(1), "maxLength": .number(200)])
            case .seconds: .object(["type": .string("number"), "minimum": .number(0), "maximum": .number(86_400)])
            case .count: .object(["type": .string("integer"), "minimum": .number(0)])
            case .flag: .object(["type": .string("boolean")])
            case .range:
                .object([
                    "type": .string("array"), "minItems": .number(2), "maxItems": .number(2),
                    "items": .object(["type": .string("number")]),
                ])
            case .statuses: either(status, list(of: status))
            case .order: list(of: status, atLeast: 2)
            case .finding: words(findings)
            case .checks: either(check, list(of: check))
            case .occasion: either(status, check)
            case .word(let word): words([word])
            }
        guard case .object(let members) = value else { return [] }
        return members
    }
}

extension JSONValue {
    /// An object with members in this order.
    fileprivate static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        .object(members.map { Member(key: $0.key, value: $0.value) })
    }
}
