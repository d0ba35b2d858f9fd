import Foundation
import Runtime
import TripModel

/// What the rules need to know about the polls and tokens of one trip so far.
///
/// Times are readings of the steady clock.
struct PollHistory: Sendable, Equatable {
    /// A token that replaced another one or was the first.
    struct NewToken: Sendable, Equatable {
        /// The lifetime in seconds.
        var lifetime: Double
        /// The number of early replacements within ``window``, if this is one of them; else 0.
        var earlyReplacements: Int
    }

    /// The number of recorded failures.
    static let maximumFailures = 4
    /// The period in which early replacements of tokens are counted.
    private static let window = Duration.seconds(600)

    /// By how much the last poll overlapped the previous one; `nil` if it did not.
    private(set) var overlap: Duration?
    /// When the last successive failed polls began, oldest first, at most ``maximumFailures``.
    private(set) var failures: [Duration] = []
    /// The number of failed polls since the last answer.
    private(set) var failureCount = 0
    /// Whether a poll was answered.
    private(set) var hasAnswer = false
    /// The token that the last poll brought; `nil` if the token is unchanged or its lifetime is unknown.
    private(set) var newToken: NewToken?

    private var lastFinished: Duration?
    private var generation = 0
    private var storedAt: Duration?
    private var earlyReplacements: [Duration] = []
    /// Whether the service refused the current token, so that its replacement is not early.
    private var isRefused = false

    /// Records a completed poll and the token after it.
    mutating func record(_ report: PollReport, _ token: ExaminedToken) {
        overlap = lastFinished.flatMap { report.started.steady < $0 ? $0 - report.started.steady : nil }
        lastFinished = report.finished.steady
        if let failure = report.failure {
            failureCount += 1
            failures = (failures + [report.started.steady]).suffix(Self.maximumFailures)
            if failure.httpStatus == 401 || failure.httpStatus == 403 { isRefused = true }
        } else {
            failures = []
            (failureCount, hasAnswer) = (0, true)
        }
        newToken = record(token, at: report.finished.steady)
    }

    private mutating func record(_ token: ExaminedToken, at now: Duration) -> NewToken? {
        guard token.generation > generation else { return nil }
        defer {
            generation = token.generation
            storedAt = now
            isRefused = false
        }
        guard let issued = token.issuedAt, let end = token.expiresAt else { return nil }
        let lifetime = end.timeIntervalSince(issued)
        var isEarly = false
        if let storedAt, !isRefused { isEarly = (now - storedAt).seconds < lifetime / 2 }
        if isEarly { earlyReplacements.append(now) }
        earlyReplacements.removeAll { now - $0 > Self.window }
        return NewToken(lifetime: lifetime, earlyReplacements: isEarly ? earlyReplacements.count : 0)
    }
}
