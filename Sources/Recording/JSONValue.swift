/// A JSON value whose keys have been made comparable: lower case, without `_`.
///
/// Exports spell the same key `vehicleId`, `vehicle_id` or `vehicleid`. A key without a value (`null`) is left out.
enum JSONValue: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The value of a key; `nil` for a missing key and for anything that is no object.
    subscript(_ key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The members, where it is an object.
    var members: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The elements, where it is a list.
    var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The text, where it is a string.
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The number, also where it is written as a string; infinite ones are none.
    var number: Double? {
        let number: Double? =
            switch self {
            case .number(let number): number
            case .string(let text): Double(text)
            default: nil
            }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// The number rounded to a whole one; `nil` beyond ±10⁹, which no field here reaches.
    var integer: Int? {
        number.flatMap { abs($0) <= 1e9 ? Int($0.rounded()) : nil }
    }

    /// The truth value, where it is one.
    var bool: Bool? {
        if case .bool(let bool) = self { bool } else { nil }
    }

    /// This value with another one laid over it: objects are merged member by member, anything else is replaced.
    func merged(with other: JSONValue) -> JSONValue {
        guard case .object(let mine) = self, case .object(let theirs) = other else { return other }
        return .object(mine.merging(theirs) { $0.merged(with: $1) })
    }
}
