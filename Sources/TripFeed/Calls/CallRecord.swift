package import Failures
package import FleetTokens
package import Foundation
import Runtime
package import TripModel

/// A call about a trip: a request to the service, a fetch of a token, or a report of the driver of a demo.
package struct CallRecord: Sendable {
    /// Whom the program called, or the driver who called the service.
    package enum Party: String, Sendable, CaseIterable {
        /// Fleet Engine.
        case service
        /// The source of tokens.
        case tokens
        /// A driver, who called Fleet Engine.
        case driver
    }

    /// Why a call failed; indirect, because most calls succeed and a status is large.
    package indirect enum Failure: Sendable {
        /// A poll.
        case poll(Failures.Failure)
        /// A fetch, with the status of the token after it.
        case fetch(Failures.Failure, TokenStatus)
        /// A call of a driver.
        case report(DriverCall.Failure)

        /// The code for programs.
        package var code: String {
            switch self {
            case .poll(let failure): failure.nameInJSON
            case .fetch(let failure, _): failure.path
            case .report(let failure): failure.code
            }
        }
    }

    /// A request to the service.
    package enum Request: Sendable {
        /// A URL over REST, and the options with which a command connects as the program does.
        case rest(url: String, options: ConnectionOptions?)
        /// A call over gRPC; indirect, because most sessions have none.
        indirect case grpc(RemoteCall)
    }

    /// What is known about a request to the service besides its result.
    package struct Poll: Sendable {
        /// The call of the service.
        package var call: PollReport.Call
        /// The request; `nil` if it is unknown.
        package var request: Request?
        /// The headers of the answer; untrusted text of bounded length.
        package var headers: [HeaderField]
        /// The age of the answer if a cache sent it.
        package var cacheAge: Duration
        /// The parts that were not sent again because they had not changed.
        package var leftOut: Set<GuardedPart>
    }

    /// What is known about a fetch besides its result.
    package struct Fetch: Sendable {
        /// Its reason; `nil` if its start was not observed.
        package var reason: FetchReason?
        /// The expiry of the token, in the service's time; `nil` without a token or if unknown.
        package var endsAt: Date?
        /// What was sent and what came back; `nil` if that is unknown.
        package var exchange: Exchange?
    }

    /// What is known about the report of a driver besides its result.
    package struct Report: Sendable {
        /// The URL with its query.
        package var url: String
        /// The body of the request.
        package var body: String
    }

    /// What is known besides the result.
    package enum Details: Sendable {
        case poll(Poll)
        case fetch(Fetch)
        case report(Report)
    }

    /// When it ended, by the local clock.
    package var time: Date
    /// Whom the program called, or the driver who called.
    package var party: Party
    /// The ID of the trip or the vehicle, or the ``TripModel/JourneyID/name`` of the shipment that it was for.
    package var subject: String
    /// The method; `nil` if it is unknown.
    package var method: String?
    /// The URL without its query, or the name of the source; over gRPC the URL of the method.
    package var target: String
    /// The status of the answer; `nil` without one.
    package var status: AnswerStatus?
    /// The size of the answer in bytes; `nil` without one.
    package var bytes: Int?
    /// The duration in real time; `nil` if it is unknown.
    package var duration: Duration?
    /// The number of the token that was sent or received; `nil` without one.
    package var token: Int?
    /// Why it failed; `nil` if it succeeded.
    package var failure: Failure?
    /// The fault that was injected into it; `nil` without one.
    package var fault: InjectedFault?
    /// What else is known; `nil` if it was not kept.
    package var details: Details?

    package init(time: Date, party: Party, subject: String, target: String) {
        (self.time, self.party, self.subject, self.target) = (time, party, subject, target)
    }

    /// Creates the record of a completed poll; `nil` if no request was sent.
    ///
    /// Its token is unknown.
    package init?(_ report: PollReport) {
        guard report.isSent else { return nil }
        let remote = report.remoteCall
        let address = remote.map { "\($0.target)\($0.method)" } ?? report.url ?? report.call.rawValue
        self.init(
            time: report.finished.wall,
            party: .service,
            subject: report.trip.name,
            target: String(address.prefix { $0 != "?" })
        )
        if remote == nil { method = report.call.httpMethod }
        status = report.status
        (bytes, duration) = (report.bytes, report.latency)
        failure = report.failure.map(Failure.poll)
        fault = report.fault
        details = .poll(
            Poll(
                call: report.call,
                request: remote.map { .grpc($0) } ?? report.url.map { .rest(url: $0, options: report.options) },
                headers: report.headers,
                cacheAge: report.cacheAge,
                leftOut: report.leftOut
            )
        )
    }

    /// Creates the record of a driver's call about the vehicle of a trip.
    package init(_ call: DriverCall, about trip: JourneyID) {
        self.init(
            time: call.finished.wall,
            party: .driver,
            subject: trip.name,
            target: String(call.url.prefix { $0 != "?" })
        )
        (method, bytes, duration) = (call.method, call.bytes, call.latency)
        status = call.status.map(AnswerStatus.http)
        failure = call.failure.map(Failure.report)
        details = .report(Report(url: call.url, body: call.body))
    }

    /// Creates the record of a completed fetch; `nil` for other events, and if an injected fault prevented that it was sent.
    package init?(_ event: TokenEvent, reason: FetchReason? = nil) {
        let status = event.status
        guard status.lastExchange?.fault?.isSent != false else { return nil }
        self.init(
            time: event.at.wall,
            party: .tokens,
            subject: event.context.journey?.name ?? event.context.id,
            target: status.source
        )
        (duration, fault) = (status.lastFetchDuration, status.lastExchange?.fault)
        switch event.kind {
        case .stored(let number): token = number
        case .repeated: break
        // The service was called, not the source.
        case .failed(let error) where error.failure.rejection != nil: return nil
        case .failed(let error): failure = .fetch(error.failure, status)
        case .fetching, .rejected, .discardedLate, .clockDisagreement, .evicted, .omitted, .closed: return nil
        }
        let line = status.lastExchange?.request.line.split(separator: " ", maxSplits: 1).map(String.init) ?? []
        if line.count == 2, status.lastExchange?.medium == .http {
            (method, target) = (line[0], String(line[1].prefix { $0 != "?" }))
        }
        self.status = (status.lastAnswer?.status).map(AnswerStatus.http)
        bytes = status.lastAnswer?.bytes
        // The answer of an earlier attempt says nothing about one without an answer.
        if failure != nil, status.lastExchange?.answer == nil { (self.status, bytes) = (nil, nil) }
        details = .fetch(
            Fetch(
                reason: reason,
                endsAt: failure == nil ? status.expiresAt : nil,
                exchange: status.lastExchange
            )
        )
    }
}
