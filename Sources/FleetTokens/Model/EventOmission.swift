/// Outcomes that a slow reader is told of by their number alone.
public struct EventOmission: Sendable, Equatable {
    /// Good outcomes, each of which was followed by another good one.
    public var successes: Int
    /// Failures by their code; only failures of which a like one is told, unless more than ``mostCodes`` kinds wait.
    public var failures: [String: Int]

    /// Codes that are counted apart; the failures of further ones are counted under ``otherCode``.
    public static let mostCodes = 32
    /// The code under which the failures beyond ``mostCodes`` kinds are counted.
    public static let otherCode = "OTHER"

    /// An omission of these numbers; of nothing without any.
    public init(successes: Int = 0, failures: [String: Int] = [:]) {
        self.successes = successes
        self.failures = failures
    }

    /// All outcomes that were left out.
    public var total: Int { successes + failureCount }

    /// The failures that were left out.
    public var failureCount: Int { failures.values.reduce(0, +) }

    /// Adds failures of a code.
    mutating func add(_ count: Int, failuresOf code: String) {
        let isKnown = failures[code] != nil || failures.count < Self.mostCodes
        failures[isKnown ? code : Self.otherCode, default: 0] += count
    }

    /// Adds what another omission left out.
    mutating func add(_ other: EventOmission) {
        successes += other.successes
        for (code, count) in other.failures.sorted(by: { $0.key < $1.key }) { add(count, failuresOf: code) }
    }
}
