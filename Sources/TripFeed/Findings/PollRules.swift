import FleetTokens
import FleetWire
import Foundation
import TripModel

/// Checks the polls and the token of one trip.
struct PollWatch: Sendable, Equatable {
    private var lastFinished: Duration?
    private var failures: [Duration] = []
    private var outdated = 0
    private var generation = 0
    private var storedAt: Duration?
    private var hurried: [Duration] = []
    private var wasRefused = false

    /// The number of successive failures within one interval that indicates a missing backoff.
    private static let crowd = 4
    /// The number of early token replacements within ``window`` that indicates excessive fetching.
    private static let hurry = 2
    private static let window = Duration.seconds(600)

    /// Processes a completed poll.
    mutating func take(_ report: PollReport, interval: Duration) -> [FindingCandidate] {
        var candidates: [FindingCandidate] = []
        if let lastFinished, report.started.steady < lastFinished {
            candidates.append(
                .event(.pollsOverlap, .error, Evidence("by", seconds(lastFinished - report.started.steady)))
            )
        }
        lastFinished = report.finished.steady
        if let failure = report.failure {
            failures.append(report.started.steady)
            if failures.count > Self.crowd { failures.removeFirst() }
            if failures.count == Self.crowd, let first = failures.first, report.started.steady - first < interval {
                candidates.append(
                    .lasting(
                        .noBackOff,
                        .warning,
                        Evidence("failures", .count(failures.count)),
                        Evidence("within", seconds(report.started.steady - first))
                    )
                )
            }
            if failure.httpStatus == 401 || failure.httpStatus == 403 { wasRefused = true }
            if let refusal = Self.refusal(failure.root) { candidates.append(refusal) }
        } else {
            failures = []
        }
        return candidates
    }

    /// Returns the finding for a 401 or 403.
    ///
    /// A single 401 may be a token that expired in transit, so only a 403 is an error.
    private static func refusal(_ failure: PollFailure) -> FindingCandidate? {
        let error: ServiceError
        switch failure {
        case .service(let refusal, _), .refusedToken(let refusal, _, _): error = refusal
        case .token, .transport, .webPage, .redirected, .unreadable, .anotherTrip: return nil
        }
        guard error.httpStatus == 401 || error.httpStatus == 403 else { return nil }
        let words = [
            error.status.map { Evidence("code", .text($0)) }, error.message.map { Evidence("message", .text($0)) },
        ]
        return FindingCandidate(
            rule: .serviceRefuses,
            severity: error.httpStatus == 403 ? .error : .warning,
            evidence: [Evidence("status", .count(error.httpStatus))] + words.compactMap(\.self),
            isLasting: true
        )
    }

    /// Processes the fault of the latest token; `nil` if it has none.
    func take(fault: TokenFault?, _ token: TokenStatus?) -> [FindingCandidate] {
        guard let fault else { return [] }
        let isForAnother = [.boundToAnother, .wrongKind, .overBroad].contains(fault)
        let claims = isForAnother ? token?.lastRejected?.claims : nil
        let ids = [("tripid", claims?.tripID), ("vehicleid", claims?.vehicleID)].compactMap { name, id in
            id.map { Evidence(name, .text($0)) }
        }
        return [
            FindingCandidate(
                rule: isForAnother ? .tokenForAnother : .tokenUnusable,
                severity: .error,
                evidence: [Evidence("fault", .text(fault.code))] + ids,
                isLasting: true
            )
        ]
    }

    /// Processes the state after an answer.
    mutating func take(_ state: TripState, limits: FindingLimits) -> [FindingCandidate] {
        var candidates: [FindingCandidate] = []
        if state.outdatedAnswers > outdated {
            outdated = state.outdatedAnswers
            candidates.append(.event(.answerOutdated, .warning, Evidence("soFar", .count(outdated))))
        }
        if abs(state.clockOffset.seconds) > limits.clockOffset.seconds {
            candidates.append(.lasting(.clocksDiffer, .warning, Evidence("offset", seconds(state.clockOffset))))
        }
        return candidates
    }

    /// Processes the status of the token.
    mutating func take(_ token: TokenStatus, interval: Duration, at now: Duration) -> [FindingCandidate] {
        guard token.generation > generation else { return [] }
        defer {
            generation = token.generation
            storedAt = now
            wasRefused = false
        }
        guard let issued = token.issuedAt, let end = token.expiresAt else { return [] }
        let life = end.timeIntervalSince(issued)
        var candidates: [FindingCandidate] = []
        if life < interval.seconds * 2 {
            candidates.append(
                .event(
                    .tokenTooShortLived,
                    .warning,
                    Evidence("life", .seconds(life)),
                    Evidence("interval", seconds(interval))
                )
            )
        }
        if let storedAt, !wasRefused, (now - storedAt).seconds < life / 2 { hurried.append(now) }
        hurried.removeAll { now - $0 > Self.window }
        if hurried.count >= Self.hurry, hurried.last == now {
            candidates.append(
                .event(
                    .tokenRefetched,
                    .warning,
                    Evidence("tokens", .count(hurried.count + 1)),
                    Evidence("life", .seconds(life))
                )
            )
        }
        return candidates
    }

    private func seconds(_ duration: Duration) -> Evidence.Value { .seconds(duration.seconds) }
}

extension TokenFault {
    /// Returns the fault of the latest token, from a poll and the token's status after it.
    static func current(in report: PollReport, _ token: TokenStatus?) -> TokenFault? {
        if case .token(.unusable(let fault, _), _) = report.failure { return fault }
        // An older token may still be valid while the next one is not usable.
        if case .unusable(let fault, _) = token?.lastError { return fault }
        return nil
    }
}
