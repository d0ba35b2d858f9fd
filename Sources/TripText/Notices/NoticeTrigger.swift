import Runtime
package import TripFeed

/// What a person wants to be notified of: a kind of notice, for some kinds with a number or a rule.
package struct NoticeTrigger: Sendable, Hashable {
    /// What a kind needs besides its name.
    package enum Value: Sendable, Hashable {
        /// A number in the unit of the kind.
        case number(Double)
        /// A rule of findings.
        case rule(FindingRule)

        /// The text after the colon.
        fileprivate var text: String {
            switch self {
            case .number(let number): number == number.rounded() ? String(Int(number)) : String(number)
            case .rule(let rule): rule.id
            }
        }
    }

    /// Why a text names no trigger.
    package enum Problem: Error, Sendable, Equatable {
        /// There is no such kind.
        case unknown(String)
        /// The kind needs a number in its range, such as `arrival:5`.
        case needsNumber(Notice.Kind)
        /// The kind needs a rule, such as `found:offRoute`.
        case needsRule(Notice.Kind)
        /// There is no such rule.
        case unknownRule(String)
        /// The kind takes no number.
        case takesNone(Notice.Kind)
    }

    /// The kind.
    package let kind: Notice.Kind
    /// The number or the rule; `nil` if the kind takes none.
    package let value: Value?

    init(_ kind: Notice.Kind, _ value: Value?) { (self.kind, self.value) = (kind, value) }

    /// Reads `status`, `late:3`, `stops:2` or `found:offRoute`.
    package init(parsing text: String) throws(Problem) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let kind = Notice.Kind(rawValue: parts[0].lowercased()) else { throw .unknown(parts[0]) }
        self.kind = kind
        switch NoticeKindRow.row(of: kind).value {
        case .none:
            guard parts.count == 1 else { throw .takesNone(kind) }
            value = nil
        case .number(let unit):
            guard parts.count == 2, let number = Double(decimal: parts[1]), unit.accepts(number) else {
                throw .needsNumber(kind)
            }
            value = .number(number)
        case .rule:
            guard parts.count == 2, !parts[1].isEmpty else { throw .needsRule(kind) }
            let name = parts[1].lowercased()
            guard let rule = FindingRule.all.first(where: { $0.id.lowercased() == name }) else {
                throw .unknownRule(parts[1])
            }
            value = .rule(rule)
        }
    }

    /// The trigger as it is written on the command line.
    package var name: String { kind.rawValue + (value.map { ":\($0.text)" } ?? "") }

    /// Returns whether a notice was asked for.
    package func matches(_ notice: Notice) -> Bool { notice.kind == kind && notice.value == value }

    /// The number; `nil` if the kind takes none.
    var number: Double? { if case .number(let number) = value { number } else { nil } }

    /// The triggers of an address without others: what needs no number, and is no part of another one.
    package static let standard = NoticeKindRow.all.filter(\.isStandard).map { NoticeTrigger($0.kind, nil) }
}
