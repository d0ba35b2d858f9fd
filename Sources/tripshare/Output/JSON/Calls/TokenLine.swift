import Canvas
import Failures
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// An event of a token.
struct TokenLine: Encodable, Equatable {
    var type = "token"
    var time: String
    var trip: String?
    var vehicle: String?
    /// Whether it is the server token, which lists the trips of the project.
    var server: Bool?
    /// The number of the event of the session, from 1.
    var eventNumber: Int
    var event: String
    /// Why a fetch started.
    var reason: String?
    /// The number of a stored token among the tokens of its trip or vehicle, from 1.
    var generation: Int?
    /// The HTTP status with which the service refused a token.
    var status: Int?
    /// The number of the gRPC status with which the service refused a token; absent over REST.
    var grpcStatus: Int?
    var state: String
    var issuedAt: String?
    var expiresAt: String?
    var refreshAt: String?
    var fetches: Int
    var error: String?
    /// The token endpoint's answer, if the event is a failure.
    var endpoint: Endpoint?
    /// The claims of the rejected token, if the event is about one.
    var rejected: Rejected?
    /// Why the fetch failed, in English, if the event is a failure.
    var failure: String?
    /// Warnings about the token, in English.
    var warnings: [String]?
    /// The party at fault: of the failure, else of the first warning that has one.
    var party: String?
    /// The suspects of the failure.
    var suspects: [SuspectLine]?
    var advice: String?
    /// The injected fault of the last fetch, or with which the service seems to have refused the token.
    var injected: InjectedFaultLine?

    /// Creates the line of an event; the advice of the last one promises no retry.
    init(_ event: TokenEvent, number: EventNumber, isLast: Bool = false, now: Moment) {
        time = Timestamp.text(now.wall)
        trip = event.context.journey?.name
        switch event.context {
        case .vehicle(let id): vehicle = id.rawValue
        case .server: server = true
        case .trip, .tracking, .task, .deliveryVehicle: break
        }
        eventNumber = number.rawValue
        self.event = event.kind.name
        if case .fetching(let why) = event.kind { reason = why.rawValue }
        if case .stored(let number) = event.kind { generation = number }
        if case .rejected(let answer) = event.kind { (status, grpcStatus) = AnswerStatus?(answer).numbers }
        state = event.status.state.rawValue
        issuedAt = event.status.issuedAt.map(Timestamp.text)
        expiresAt = event.status.expiresAt.map(Timestamp.text)
        refreshAt = event.status.refreshAt.map(Timestamp.text)
        fetches = event.status.fetches
        error = event.status.lastError?.code
        let fault = event.status.lastExchange?.fault
        switch event.kind {
        case .failed(let error) where error.failure.rejection != nil:
            injected = InjectedFaultLine(event.status.injected(into: error.failure))
        case .rejected: injected = InjectedFaultLine(event.status.lastRejected?.injected)
        case .failed, .stored, .repeated: injected = InjectedFaultLine(fault)
        default: break
        }
        switch event.kind {
        case .failed(let error) where error.failure.code == .tokenUnusable:
            endpoint = event.status.lastAnswer.map(Endpoint.init)
            rejected = event.status.lastRejected.map(Rejected.init)
        case .failed(let error) where error.failure.rejection != nil:
            rejected = event.status.lastRejected.map(Rejected.init)
        case .rejected: rejected = event.status.lastRejected.map(Rejected.init)
        // Nothing was asked: the last answer belongs to an earlier fetch.
        case .failed where fault?.isSent == false: break
        case .failed: endpoint = event.status.lastAnswer.map(Endpoint.init)
        default: break
        }
        let odd = event.status.warnings.map { UserMessage($0) }
        if !odd.isEmpty { warnings = odd.map(\.what) }
        if case .failed(let failed) = event.kind {
            let message = Self.message(about: failed.failure, event)
            failure = message.what
            // The call whose token was refused has the service's reason. The status alone shows no party.
            let isRefused = failed.failure.rejection != nil
            guard !isRefused || message.fault != nil || event.status.rule(explaining: failed.failure) != nil else {
                return
            }
            (party, suspects, advice) = (message.party?.rawValue, SuspectLine.all(message.suspects), message.advice)
            if isLast { advice = message.last.advice }
            return
        }
        // Which clock is wrong is only known after the service has revealed its time.
        guard error == nil, fault?.explainsFailure != true,
            let first = odd.first(where: { $0.party != nil && $0.party != .endpointClock })
        else {
            return
        }
        party = first.party?.rawValue
        advice = first.advice
    }

    /// Returns the message about a failed fetch, whether or not an older token is still used.
    private static func message(about failure: Failure, _ event: TokenEvent) -> UserMessage {
        if let trip = event.context.journey { return UserMessage(noToken: failure, event.status, journey: trip) }
        let noun = Localizer.english(event.context.kind.noun)
        let subject = "\(noun) \(Reporter.sanitized(event.context.id, limit: 64))"
        return UserMessage(noToken: failure, event.status, for: subject)
    }

    /// The content without the kind of the event, its number and its time.
    ///
    /// Two successive events with equal content are duplicates.
    var withoutEvent: TokenLine {
        var line = self
        (line.time, line.eventNumber, line.event, line.reason, line.generation) = ("", 0, "", nil, nil)
        (line.status, line.grpcStatus, line.injected) = (nil, nil, nil)
        return line
    }
}

extension TokenLine {
    /// The answer of a token endpoint, without any token.
    struct Endpoint: Encodable, Equatable {
        var status: Int
        var headers: [String: String]
        var body: String
        var bytes: Int

        init(_ answer: TokenSourceAnswer) {
            status = answer.status
            headers = Dictionary(answer.headers.map { ($0.name.lowercased(), Cause.shown($0.value)) }) { first, _ in
                first
            }
            body = Printable.clean(answer.body, limit: TokenSourceAnswer.maximumBody)
            bytes = answer.bytes
        }
    }

    /// The claims of a rejected token, and the rules that it breaks.
    struct Rejected: Encodable, Equatable {
        var fingerprint: String
        var tripId: String?
        var vehicleId: String?
        var rules: [String]

        init(_ token: RejectedToken) {
            fingerprint = token.fingerprint
            tripId = token.claims?.tripID.map(Cause.shown)
            vehicleId = token.claims?.vehicleID.map(Cause.shown)
            rules = token.findings.filter { $0.verdict == .broken }.map(\.rule.rawValue)
        }
    }
}
