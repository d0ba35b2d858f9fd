import Canvas
import Failures
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// One poll of a trip.
struct PollLine: Encodable {
    var type = "poll"
    var time: String
    var started: String
    var trip: String
    /// The number of the event of the session, from 1.
    var eventNumber: Int
    var outcome: String
    /// The call of the service, if it is not GetTrip.
    var call: String?
    var httpStatus: Int?
    /// The number of the gRPC status; absent over REST.
    var grpcStatus: Int?
    var code: String?
    /// The remote side's message about a failure.
    var message: String?
    /// The underlying failure.
    var cause: Cause?
    var latencyMs: Double
    var bytes: Int?
    var attempt: Int
    /// When the first of the failed polls in a row ended.
    var failingSince: String?
    var nextPollInMs: Int?
    /// What may be said about the trip after the poll; absent before the first answer.
    var claims: [ClaimLine]?
    /// What may be said about its tokens after the poll; absent if nothing may.
    var tokenClaims: [KeyClaimLine]?
    /// What failed, the party at fault and what to do, in English.
    var failure: String?
    /// A warning about clocks or the answer, in English.
    var warning: String?
    var party: String?
    var suspects: [SuspectLine]?
    var advice: String?
    /// The injected fault.
    var injected: InjectedFaultLine?

    init(
        _ report: PollReport,
        state: TripState,
        schedule: PollSchedule,
        table: JourneyTable,
        host: String,
        isLast: Bool = false,
        now: Moment
    ) {
        time = Timestamp.text(now.wall)
        started = Timestamp.text(report.started.wall)
        trip = report.journey.name
        eventNumber = table.lastEvent.rawValue
        claims = ClaimLine.all(table[report.journey], at: report.finished)
        tokenClaims = KeyClaimLine.all(table[report.journey], at: report.finished)
        outcome = report.failure == nil ? "ok" : "error"
        call = report.operation == .getTrip ? nil : report.operation.rawValue
        (httpStatus, grpcStatus) = report.status.numbers
        code = report.failure?.nameInJSON
        message = report.failure?.detail.map(Cause.shown)
        cause = report.failure?.history.refusal.map(Cause.init)
        // What an injected fault held back took no time and brought nothing.
        latencyMs = (report.latency.seconds * 10_000).rounded() / 10
        bytes = report.answer?.bytes
        injected = InjectedFaultLine(report.fault ?? report.failure?.injected)
        attempt = schedule.failures + (report.failure == nil ? 1 : 0)
        failingSince = (report.failure?.history.streak).map { Timestamp.text($0.since) }
        nextPollInMs = schedule.next.map { max(0, ($0 - now.steady).milliseconds) }
        let clocks = ClockVerdict(endpoint: table.clocks.endpointOffset, state)
        let sentence: UserMessage
        if let cause = report.failure {
            let token = table[report.journey]?.token.status(explaining: cause)
            sentence = UserMessage(cause, token, journey: report.journey, host: host)
            failure = sentence.what
        } else if report.serverDate != nil, let clock = UserMessage(clocks) {
            sentence = clock
            warning = clock.what
        } else if let status = state.journey?.status, let missing = UserMessage(missing: status) {
            sentence = missing
            warning = missing.what
        } else {
            return
        }
        party = sentence.party?.rawValue
        suspects = SuspectLine.all(sentence.suspects)
        advice = isLast ? sentence.last.advice : sentence.advice
    }
}

/// The underlying cause of a failure.
final class Cause: Encodable {
    let httpStatus: Int?
    let grpcStatus: Int?
    let code: String
    let message: String?
    let cause: Cause?

    init(_ failure: Failure) {
        (httpStatus, grpcStatus) = failure.status.numbers
        code = failure.nameInJSON
        message = failure.detail.map(Self.shown)
        cause = failure.history.refusal.map(Cause.init)
    }

    /// Returns untrusted text in printable form, without tokens.
    static func shown(_ text: String) -> String { Printable.clean(text.withoutTokens, limit: 500) }
}

extension AnswerStatus? {
    /// The number of the HTTP status or of the gRPC status.
    var numbers: (http: Int?, grpc: Int?) {
        switch self {
        case .http(let status): (status, nil)
        case .grpc(let number): (nil, number)
        case nil: (nil, nil)
        }
    }
}
