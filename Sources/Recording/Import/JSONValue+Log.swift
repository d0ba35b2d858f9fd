import FleetWire
import Runtime

/// Access to values of log entries, whose keys the parser has normalized.
extension JSONValue {
    /// The members, where it is an object.
    var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The elements of a list.
    var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The number rounded to an integer.
    var integer: Int? { logNumber.map { Int(clamped: $0.rounded()) } }

    /// Returns this value merged with another value: objects are merged by member, other values are replaced.
    func merged(with other: JSONValue) -> JSONValue {
        guard case .object(let mine) = self, case .object(let theirs) = other else { return other }
        var members = mine
        for member in theirs {
            if let index = members.lastIndex(where: { $0.key == member.key }) {
                members[index].value = members[index].value.merged(with: member.value)
            } else {
                members.append(member)
            }
        }
        return .object(members)
    }
}
