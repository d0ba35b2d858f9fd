/// The number of outcomes that were dropped because a reader was slow.
public struct EventOmission: Sendable, Equatable {
    /// Dropped successes; each was followed by another success.
    public var successes: Int
    /// Dropped failures by code.
    ///
    /// One failure of each code is still delivered, unless more than ``maximumCodes`` codes are pending.
    public var failures: [String: Int]

    /// The maximum number of separate codes; further ones are counted under ``otherCode``.
    public static let maximumCodes = 32
    /// The code for failures beyond ``maximumCodes``.
    public static let otherCode = "OTHER"

    /// Creates an omission; empty by default.
    public init(successes: Int = 0, failures: [String: Int] = [:]) {
        self.successes = successes
        self.failures = failures
    }

    /// The number of all dropped outcomes.
    public var total: Int { successes + failureCount }

    /// The number of dropped failures.
    public var failureCount: Int { failures.values.reduce(0, +) }

    /// Adds failures with a code.
    package mutating func add(_ count: Int, failuresOf code: String) {
        let isKnown = failures[code] != nil || failures.count < Self.maximumCodes
        failures[isKnown ? code : Self.otherCode, default: 0] += count
    }

    /// Adds the numbers of another omission.
    mutating func add(_ other: EventOmission) {
        successes += other.successes
        for (code, count) in other.failures.sorted(by: { $0.key < $1.key }) { add(count, failuresOf: code) }
    }
}
