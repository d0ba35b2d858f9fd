import TripModel

/// A JSON text as a tree that need not be valid: keys may be repeated, and a leaf may be any text.
indirect enum JSONNode {
    /// A value as JSON text, including quotes.
    case leaf(String)
    case list([JSONNode])
    case object([(key: String, value: JSONNode)])

    static func text(_ text: String) -> JSONNode { .leaf("\"\(text)\"") }

    /// The number of nodes, including this one.
    var count: Int {
        switch self {
        case .leaf: 1
        case .list(let items): items.reduce(1) { $0 + $1.count }
        case .object(let members): members.reduce(1) { $0 + $1.value.count }
        }
    }

    /// The JSON text.
    var spelling: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .leaf(let leaf): text += leaf
        case .list(let items):
            text += "["
            for (index, item) in items.enumerated() {
                if index > 0 { text += "," }
                item.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                text += "\"\(member.key)\":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    /// The tree with one node changed.
    ///
    /// Node 0 is the root, and children follow their parent.
    func changing(_ number: Int, _ change: (JSONNode) -> JSONNode) -> JSONNode {
        var next = 0
        return changing(number, &next, change)
    }

    private func changing(_ number: Int, _ next: inout Int, _ change: (JSONNode) -> JSONNode) -> JSONNode {
        let own = next
        next += 1
        guard own != number else { return change(self) }
        // The nodes after the changed one stay as they are.
        guard own < number else { return self }
        switch self {
        case .leaf: return self
        case .list(let items): return .list(items.map { $0.changing(number, &next, change) })
        case .object(let members):
            return .object(members.map { ($0.key, $0.value.changing(number, &next, change)) })
        }
    }
}
