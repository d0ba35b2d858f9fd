import Failures
import FleetTokens
import Runtime

/// The number of calls about a journey, and of those that failed.
package struct CallCounts: Sendable, Equatable {
    /// The number of all calls.
    package private(set) var total = 0
    /// The number of failed calls by ``Failures/Failure/nameInJSON``, at most ``Runtime/EventOmission/maximumCodes`` codes.
    package private(set) var failures: [String: Int] = [:]
    /// The number of failed calls by the HTTP statuses of their answers.
    private(set) var statuses: [Int: Int] = [:]

    /// The number of failed calls.
    package var failureCount: Int { failures.values.reduce(0, +) }

    /// Adds a call; `failure` is `nil` if it was answered.
    mutating func add(_ failure: Failure?) {
        total += 1
        guard let failure else { return }
        add(1, failuresOf: failure.nameInJSON)
        if let status = failure.httpStatus { statuses[status, default: 0] += 1 }
    }

    /// Adds calls that were dropped before they were read.
    mutating func add(_ omission: EventOmission) {
        total += omission.total
        for (code, count) in omission.failures.sorted(by: { $0.key < $1.key }) { add(count, failuresOf: code) }
    }

    private mutating func add(_ count: Int, failuresOf code: String) {
        let isRetained = failures[code] != nil || failures.count < EventOmission.maximumCodes
        failures[isRetained ? code : EventOmission.otherCode, default: 0] += count
    }
}

/// The number of tokens of a journey, and of what went wrong with them.
package struct TokenCounts: Sendable, Equatable {
    /// The number of received tokens.
    package private(set) var received = 0
    /// The number of failed fetches.
    package private(set) var failures = 0
    /// The number of tokens that the service refused.
    package private(set) var refused = 0

    /// Adds an event of the token.
    mutating func add(_ kind: TokenEvent.Kind) {
        switch kind {
        case .stored: received += 1
        // A pause after a refusal is no fetch.
        case .failed(let error): if error.failure.rejection == nil { failures += 1 }
        case .rejected: refused += 1
        case .omitted(let omission):
            received += omission.successes
            failures += omission.failureCount
        case .fetching, .repeated, .discardedLate, .clockDisagreement, .evicted, .closed: break
        }
    }
}

/// The number of findings about a journey.
package struct FindingCounts: Sendable, Equatable {
    /// The number by rule.
    package private(set) var rules: [FindingRule: Int] = [:]
    /// The number by severity.
    package private(set) var severities: [Finding.Severity: Int] = [:]

    mutating func add(_ findings: [Finding]) {
        for finding in findings {
            rules[finding.rule, default: 0] += 1
            severities[finding.severity, default: 0] += 1
        }
    }
}
