/// A JSON value with normalized keys: lower case, without `_`.
///
/// Exports spell the same key `vehicleId`, `vehicle_id` or `vehicleid`. Members with the value `null` are dropped.
enum JSONValue: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The value of a key; `nil` for a missing key and for values that are not objects.
    subscript(_ key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The members of an object.
    var members: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The elements of a list.
    var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The text of a string.
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The number, also if it is written as a string; infinite values are `nil`.
    var number: Double? {
        let number: Double? =
            switch self {
            case .number(let number): number
            case .string(let text): Double(text)
            default: nil
            }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// The number rounded to an integer; `nil` beyond ±10⁹, which exceeds every field used here.
    var integer: Int? {
        number.flatMap { abs($0) <= 1e9 ? Int($0.rounded()) : nil }
    }

    /// The Boolean value.
    var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    /// Returns this value merged with another one: objects are merged by member, other values are replaced.
    func merged(with other: JSONValue) -> JSONValue {
        guard case .object(let mine) = self, case .object(let theirs) = other else { return other }
        return .object(mine.merging(theirs) { $0.merged(with: $1) })
    }
}
