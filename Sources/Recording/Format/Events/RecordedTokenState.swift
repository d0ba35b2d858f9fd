package import Failures
package import FleetTokens
import Foundation
import Runtime

/// The state of a token, without the token.
package struct RecordedTokenState: Sendable, Equatable, Codable {
    /// A rejected token.
    package struct Rejected: Sendable, Equatable, Codable {
        /// When it was rejected: RFC 3339, UTC.
        package var time: String
        /// Why the program did not use it; `nil` if the service refused it.
        package var fault: Failure?
        /// The HTTP status with which the service refused it; over gRPC, the status of the same answer over REST.
        package var status: Int?
        /// The number of the gRPC status with which the service refused it.
        package var grpcStatus: Int?
        /// The first eight hexadecimal digits of its SHA-256.
        package var fingerprint: String
        /// Its claims and the results of the rules.
        package var inspection: RecordedToken.Inspection
        /// The injected fault that refused it in the name of the service, or changed its claims.
        package var injected: InjectedFault?
    }

    /// An answer of the token endpoint with redacted secrets.
    package struct Answer: Sendable, Equatable, Codable {
        /// The HTTP status.
        package var status: Int
        /// The headers that identify the server, the content and caches.
        package var headers: [HeaderField]
        /// The beginning of the body.
        package var body: String
        /// The size of the body in bytes.
        package var size: Int
        /// The endpoint's error message.
        package var message: String?
    }

    /// The state, such as `fresh`.
    package var state: String
    /// The time of issue: RFC 3339, UTC, as all times here, in the service's time.
    package var issuedAt: String?
    /// The expiry.
    package var expiresAt: String?
    /// The time until which the token is used.
    package var usableUntil: String?
    /// The time of the next refresh.
    package var refreshAt: String?
    /// The time of the next attempt after a failure.
    package var retryAt: String?
    /// The number of fetches.
    package var fetches: Int
    /// The number of successive failures.
    package var failures: Int
    /// Why the last attempt failed.
    package var problem: Failure?
    /// The duration of the last fetch in seconds of real time.
    package var latency: Double?
    /// The number of tokens.
    package var generation: Int
    /// The first eight hexadecimal digits of the token's SHA-256.
    package var fingerprint: String?
    /// The kind of the source.
    package var source: String
    /// The warnings about the token.
    package var warnings: [Failure]
    /// The last rejected token.
    package var rejected: Rejected?
    /// The last answer of the token endpoint.
    package var answer: Answer?
    /// What was sent to the source in the last attempt and what came back.
    package var exchange: Exchange?
    /// The service's clock minus the local clock, in seconds.
    package var clockOffset: Double?

    /// Converts a status.
    package init(_ status: TokenStatus) {
        state = status.state.rawValue
        issuedAt = status.issuedAt.map(Timestamp.text)
        expiresAt = status.expiresAt.map(Timestamp.text)
        usableUntil = status.usableUntil.map(Timestamp.text)
        refreshAt = status.refreshAt.map(Timestamp.text)
        retryAt = status.retryAt.map(Timestamp.text)
        fetches = status.fetches
        failures = status.failures
        problem = status.lastError?.failure
        latency = status.lastFetchDuration?.recordedExactly
        generation = status.generation
        fingerprint = status.fingerprint
        source = status.source
        warnings = status.warnings
        rejected = status.lastRejected.map(Rejected.init)
        answer = status.lastAnswer.map(Answer.init)
        exchange = status.lastExchange
        clockOffset = status.clockOffset?.recorded
    }

    /// The status; an unknown state counts as absent.
    package var status: TokenStatus {
        var status = TokenStatus(state: TokenState(rawValue: state) ?? .absent, source: source)
        status.issuedAt = issuedAt.flatMap(Timestamp.date)
        status.expiresAt = expiresAt.flatMap(Timestamp.date)
        status.usableUntil = usableUntil.flatMap(Timestamp.date)
        status.refreshAt = refreshAt.flatMap(Timestamp.date)
        status.retryAt = retryAt.flatMap(Timestamp.date)
        status.fetches = fetches
        status.failures = failures
        status.lastError = problem.flatMap(TokenError.init(recorded:))
        status.lastFetchDuration = latency.map(Duration.init(recorded:))
        status.generation = generation
        status.fingerprint = fingerprint
        status.warnings = warnings.filter { $0.code.family == "warning" }
        status.lastRejected = rejected?.token
        status.lastAnswer = answer?.answer
        status.lastExchange = exchange
        status.clockOffset = clockOffset.map(Duration.init(recorded:))
        return status
    }
}

extension RecordedTokenState.Rejected {
    fileprivate init(_ token: RejectedToken) {
        time = Timestamp.text(token.at)
        switch token.reason {
        case .fault(let fault): self.fault = fault
        case .service(let status): (self.status, grpcStatus) = (status.httpStatus, status.grpcStatus)
        }
        fingerprint = token.fingerprint
        inspection = RecordedToken.Inspection(claims: token.claims, findings: token.findings)
        injected = token.injected
    }

    fileprivate var token: RejectedToken? {
        let reason =
            fault.flatMap { $0.code.family == "fault" ? RejectedToken.Reason.fault($0) : nil }
            ?? status.map { .service(status: AnswerStatus(httpStatus: $0, grpcStatus: grpcStatus)) }
        guard let reason, let time = Timestamp.date(time) else { return nil }
        var token = RejectedToken(
            at: time,
            reason: reason,
            claims: inspection.claims,
            findings: inspection.findings,
            fingerprint: fingerprint
        )
        token.injected = injected
        return token
    }
}

extension RecordedTokenState.Answer {
    fileprivate init(_ answer: TokenSourceAnswer) {
        status = answer.status
        headers = answer.headers.map {
            HeaderField(name: $0.name, value: RecordedText.redacted($0.value))
        }
        body = RecordedText.redacted(answer.body, limit: TokenSourceAnswer.maximumBody)
        size = answer.bytes
        message = answer.message.map { RecordedText.redacted($0) }
    }

    fileprivate var answer: TokenSourceAnswer {
        TokenSourceAnswer(
            status: status,
            headers: headers,
            body: body,
            bytes: size,
            message: message
        )
    }
}
