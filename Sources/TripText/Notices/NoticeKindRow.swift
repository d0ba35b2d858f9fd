/// What is known about one kind of notice: the parser of triggers, the help, the manual and the completion come from this table.
package struct NoticeKindRow: Sendable {
    /// The unit of a number, with its range.
    package enum Unit: String, Sendable, CaseIterable {
        case minutes, stops, seconds

        /// The smallest and the largest number.
        package var range: ClosedRange<Double> {
            switch self {
            case .minutes: 0...10_000
            case .stops: 0...1000
            case .seconds: 1...86_400
            }
        }

        /// Returns whether a number is in the range; stops are whole.
        func accepts(_ number: Double) -> Bool {
            range.contains(number) && (self != .stops || number == number.rounded())
        }
    }

    /// What is written after the name and a colon.
    package enum Value: Sendable, Equatable {
        case none
        case number(Unit)
        case rule
    }

    /// The kind, whose raw value is its name.
    package let kind: Notice.Kind
    /// What is written after the name.
    package let value: Value
    /// Whether an address without a list of triggers gets it.
    let isStandard: Bool
    /// When it is noticed: a part of a sentence of the manual.
    let meaning: String

    private init(_ kind: Notice.Kind, _ value: Value = .none, isStandard: Bool? = nil, when meaning: String) {
        (self.kind, self.value, self.meaning) = (kind, value, meaning)
        self.isStandard = isStandard ?? (value == .none)
    }

    /// The rows, in the order of the manual.
    package static let all = [
        NoticeKindRow(.status, when: "the status changed"),
        NoticeKindRow(
            .arrival,
            .number(.minutes),
            when: "the vehicle arrives at the next own stop within these minutes; once for each stop"
        ),
        NoticeKindRow(.pickup, .number(.minutes), when: "as `arrival`, but only for the pickup"),
        NoticeKindRow(
            .dropoff,
            .number(.minutes),
            when: "as `arrival`, but only for the drop-off, or for the stop of a shipment"
        ),
        NoticeKindRow(
            .late,
            .number(.minutes),
            when: "the arrival is expected later than first promised by these minutes; again after it was not"
        ),
        NoticeKindRow(
            .stops,
            .number(.stops),
            when: """
                the vehicle has at most this number of other stops before the next own stop; once for each own \
                stop, `stops:0` when it is the next one
                """
        ),
        NoticeKindRow(
            .window,
            isStandard: false,
            when: "the promised time window of a shipment moved; `plan` comes, too, to those who asked for it"
        ),
        NoticeKindRow(.stale, when: "the position is no longer known"),
        NoticeKindRow(
            .fresh,
            when: """
                the vehicle reports again after answers had shown that it was silent; after an outage of the \
                polls, `recovered` comes instead
                """
        ),
        NoticeKindRow(.failure, when: "polls begin to fail"),
        NoticeKindRow(
            .failing,
            .number(.seconds),
            when: """
                polls have failed for these seconds; once until a poll succeeds, at the first poll that fails \
                after that time
                """
        ),
        NoticeKindRow(.recovered, when: "a poll succeeded again"),
        NoticeKindRow(.finding, when: "a rule reported a finding"),
        NoticeKindRow(.found, .rule, when: "this rule reported a finding, such as `found:offRoute`"),
        NoticeKindRow(
            .plan,
            when: """
                the vehicle, the type, the pickup, the drop-off, the stops, the number of passengers, or the \
                time window of a shipment changed
                """
        ),
        NoticeKindRow(.end, when: "the trip is no longer followed; not if `--until` ends the session before"),
    ]

    private static let rows = Dictionary(uniqueKeysWithValues: all.map { ($0.kind, $0) })

    /// Returns the row of a kind.
    package static func row(of kind: Notice.Kind) -> NoticeKindRow {
        guard let row = rows[kind] else { preconditionFailure("There is no row of \(kind.rawValue).") }
        return row
    }

    /// The name with its number or rule in capital letters, as in messages: `arrival:MINUTES`.
    package var form: String {
        switch value {
        case .none: kind.rawValue
        case .number(let unit): "\(kind.rawValue):\(unit.rawValue.uppercased())"
        case .rule: "\(kind.rawValue):RULE"
        }
    }

    /// An example of a trigger, for messages.
    package var example: String {
        switch value {
        case .none: kind.rawValue
        case .number(.minutes): "\(kind.rawValue):5"
        case .number(.stops): "\(kind.rawValue):2"
        case .number(.seconds): "\(kind.rawValue):60"
        case .rule: "\(kind.rawValue):offRoute"
        }
    }

    /// The names without numbers, for the completion in a shell, which splits words at colons.
    package static let names = all.map(\.kind.rawValue)

    /// The forms of all triggers.
    package static let forms = all.map(\.form).joined(separator: ", ")

    /// The table of the manual.
    package static var markdown: [String] {
        ["| event | when |", "|---|---|"] + all.map { "| `\($0.form)` | \($0.meaning) |" }
    }
}
