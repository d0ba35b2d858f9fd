import FleetWire
import Runtime
import TripModel

/// Reads comparisons, such as `latency.p95 < 500 ms`.
enum CheckReader {
    /// Returns whether a text is meant to be a comparison.
    static func isCheck(_ text: String) -> Bool { relation(in: text) != nil }

    /// Reads a comparison; throws a problem with the path of the text.
    static func check(_ text: String, _ path: [String]) throws(YAMLProblem) -> MeasureCheck {
        func problem(_ message: String) -> YAMLProblem {
            YAMLProblem(path: path, message: "\(path.last { Int($0) == nil } ?? "check"): \(message)")
        }
        guard text.count <= 300 else { throw problem("at most 300 characters are expected") }
        guard let (relation, range) = Self.relation(in: text) else {
            throw problem("a comparison is expected, such as latency.p95 < 500 ms")
        }
        let name = text[..<range.lowerBound].trimmed
        let value = text[range.upperBound...].trimmed
        let (form, argument) = try form(named: name) { problem($0) }
        guard !value.isEmpty else { throw problem("a value is expected after \(relation.rawValue)") }
        let (expected, unit) =
            if form.argument == .field, let kind = FieldPath(argument)?.kind {
                (try Self.value(value, of: argument, kind) { problem($0) }, MeasureUnit.none)
            } else {
                try Self.value(value, of: form) { problem($0) }
            }
        if relation.needsNumber {
            guard case .number = expected else {
                throw problem("\(relation.rawValue) compares numbers; use == or != for \(value.prefix(40))")
            }
        }
        return MeasureCheck(form.id, relation, expected, argument: argument, unit: unit)
    }

    /// The first relation in a text; of two at the same place, the longer one.
    private static func relation(in text: String) -> (MeasureCheck.Relation, Range<String.Index>)? {
        for start in text.indices {
            for relation in MeasureCheck.Relation.allCases where text[start...].hasPrefix(relation.rawValue) {
                return (relation, start..<text.index(start, offsetBy: relation.rawValue.count))
            }
        }
        return nil
    }

    private static func form(
        named name: String,
        _ problem: (String) -> YAMLProblem
    ) throws(YAMLProblem) -> (MeasureForm, argument: String) {
        if let form = MeasureForm.all.first(where: { $0.id == name }) {
            guard form.argument == .none || form.argument == .optional else {
                throw problem("\(name) needs a name after a dot: \(form.pattern)")
            }
            return (form, "")
        }
        let form = MeasureForm.all.first { name.hasPrefix("\($0.id).") && $0.argument != .none }
        guard let form else {
            throw problem(.unknown(name, MeasureForm.all.map(\.pattern)))
        }
        let argument = String(name.dropFirst(form.id.count + 1))
        if form.argument == .field, FieldPath(argument) == nil {
            throw problem("a trip has no field \(argument.prefix(80)); fields are named as in the service's JSON")
        }
        guard !argument.isEmpty else { throw problem("\(form.id) needs a name after the dot: \(form.pattern)") }
        return (form, argument)
    }

    private static func value(
        _ text: String,
        of form: MeasureForm,
        _ problem: (String) -> YAMLProblem
    ) throws(YAMLProblem) -> (MeasuredValue, MeasureUnit) {
        if text == "missing" { return (.missing, .basic(of: form.quantity)) }
        if let quoted = text.unquoted {
            guard form.quantity == .text else { throw problem("\(form.id) is a number, not a text") }
            return (.text(quoted), .none)
        }
        guard form.quantity != .text else { return (.text(text), .none) }
        let digits = text.prefix { $0.isASCII && ($0.isNumber || "+-.".contains($0)) }
        let symbol = text.dropFirst(digits.count).trimmed
        guard let number = Double(decimal: digits) else {
            throw problem("\(form.id): a number is expected, not \(text.prefix(40))")
        }
        if symbol.isEmpty { return (.number(number), .basic(of: form.quantity)) }
        guard let unit = MeasureUnit.all.first(where: { $0.symbol == symbol && $0.quantity == form.quantity }) else {
            let units = MeasureUnit.all.filter { $0.quantity == form.quantity }.map(\.symbol)
            let valid = units.isEmpty ? "it has no unit" : "valid units: \(units.joined(separator: ", "))"
            throw problem("\(symbol.prefix(20)) is no unit of \(form.id); \(valid)")
        }
        return (.number(number * unit.factor), unit)
    }

    /// Reads the expected value of a field of a trip; the schema says what it is compared with.
    private static func value(
        _ text: String,
        of field: String,
        _ kind: FieldPath.Kind,
        _ problem: (String) -> YAMLProblem
    ) throws(YAMLProblem) -> MeasuredValue {
        if text == "missing" { return .missing }
        switch kind {
        case .text: return .text(text.unquoted ?? text)
        case .flag:
            guard let flag = Bool(text) else { throw problem("\(field): true or false is expected") }
            return .flag(flag)
        case .number:
            guard let number = Double(decimal: text) else {
                throw problem("\(field): a number is expected, not \(text.prefix(40))")
            }
            return .number(number)
        case .json:
            guard let value = JSONValue(Array(text.utf8)), value.isContainer else {
                throw problem(
                    "\(field): missing, an object or a list as JSON is expected; .size has the number of elements"
                )
            }
            return .json(value.canonicalText)
        }
    }
}

extension JSONValue {
    /// Whether it is an object or a list.
    fileprivate var isContainer: Bool {
        switch self {
        case .array, .object: true
        case .null, .bool, .number, .string: false
        }
    }
}

extension String {
    /// The text between its quotation marks; `nil` if it has none.
    fileprivate var unquoted: String? {
        guard count > 1, let quote = first, quote == "\"" || quote == "'", last == quote else { return nil }
        return String(dropFirst().dropLast())
    }
}

extension StringProtocol {
    /// The text without blanks at its ends.
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
