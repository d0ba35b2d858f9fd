package import Failures
import FleetWire
import Foundation
package import TripFeed
package import TripModel

/// A request is about to be sent.
package struct RecordedRequest: Sendable, Equatable, Codable {
    /// The trip.
    package var trip: String
    /// The poll schedule at that time.
    package var schedule: RecordedSchedule

    package init(trip: JourneyID, schedule: PollSchedule) {
        self.trip = trip.name
        self.schedule = RecordedSchedule(schedule)
    }
}

/// A completed poll: the request and its answer as received.
package struct RecordedPoll: Sendable, Equatable, Codable {
    /// A request.
    package struct Request: Sendable, Equatable, Codable {
        /// The method: `GET`, over gRPC `POST`.
        package var method: String
        /// The absolute URL.
        package var url: String
        /// The headers that the program sets.
        package var headers: [HeaderField]
        /// The request over gRPC; `nil` over REST.
        package var grpc: RemoteRequest?
        /// The options with which a command connects as the request did; `nil` if it needs none.
        package var options: ConnectionOptions?

        /// Converts the request of a poll; `nil` if it has none.
        fileprivate init?(_ report: PollReport) {
            guard let url = report.url else { return nil }
            let call = report.remoteCall
            let first = call == nil ? [HeaderField(name: "accept", value: "application/json")] : []
            let routing = call?.routing.map { [HeaderField(name: RecordedPoll.routingHeader, value: $0)] } ?? []
            method = call == nil ? "GET" : "POST"
            self.url = RecordedText.redacted(url, limit: 4000)
            headers = first + [HeaderField(name: "authorization", value: "Bearer <token>")] + routing
            grpc = call.map(RemoteRequest.init)
            options = report.options
        }
    }

    /// The received answer.
    package struct Answer: Sendable, Equatable, Codable {
        /// The HTTP status, over gRPC that of the same answer over REST.
        package var status: Int
        /// The headers that identify the server, the content and caches.
        package var headers: [HeaderField]
        /// The body, over gRPC the message as ProtoJSON; shortened if ``isCut``, `nil` if it is not recorded.
        package var body: String?
        /// The size of the body in bytes before it was shortened.
        package var size: Int
        /// Whether the body was shortened; shortened JSON is still JSON.
        package var isCut: Bool
        /// The answer over gRPC; `nil` over REST.
        package var grpc: RemoteAnswer?
    }

    /// The trip.
    package var trip: String
    /// The call that returned the trip; `nil` for GetTrip.
    ///
    /// The body of an answer to SearchTrips is the listed trip alone.
    package var call: String?
    /// `true` if the call had a server token instead of one for the trip.
    package var server: Bool?
    /// When the poll began, before it had a token.
    package var started: RecordedMoment
    /// When the outcome was known.
    package var finished: RecordedMoment
    /// The duration of the request in seconds of real time, without the wait for a token.
    package var latency: Double
    /// The sent request; `nil` if none was sent, because there was no token or because of ``fault``.
    package var request: Request?
    /// The request that would have been sent with a token or without ``fault``; `nil` if it was sent.
    ///
    /// A session shows it as a command, and therefore a replay, too.
    package var unsentRequest: Request?
    /// The answer; `nil` if none was received.
    package var answer: Answer?
    /// Why the poll failed; `nil` if it succeeded.
    package var failure: Failure?
    /// The fault that was injected into the poll; `nil` without one.
    ///
    /// ``answer`` is its own if nothing was sent.
    package var fault: InjectedFault?
    /// What the rules examined with the poll; `nil` if the last event of the token and ``schedule`` say it.
    package var examined: RecordedExamination?
    /// The poll schedule after the poll.
    package var schedule: RecordedSchedule

    /// Converts a poll.
    ///
    /// - Parameters:
    ///   - report: The poll.
    ///   - schedule: The schedule after it.
    ///   - token: The trip's token after its last recorded event.
    package init(_ report: PollReport, schedule: PollSchedule, after token: ExaminedToken = ExaminedToken()) {
        trip = report.trip.name
        call = report.call == .getTrip ? nil : report.call.rawValue
        server = report.isByServer ? true : nil
        started = RecordedMoment(report.started)
        finished = RecordedMoment(report.finished)
        latency = report.latency.recordedExactly
        failure = report.failure
        self.schedule = RecordedSchedule(schedule)
        // The rules know a token of the trip only.
        examined = report.examined.flatMap {
            RecordedExamination($0, after: report.isByServer ? ExaminedToken() : token, schedule)
        }
        fault = report.fault
        if report.isSent {
            request = Request(report)
        } else {
            unsentRequest = Request(report)
        }
        guard let status = report.httpStatus else { return }
        let body = report.body ?? Self.listedTrip(report)
        answer = Answer(
            status: status,
            headers: report.headers.map { HeaderField(name: $0.name, value: RecordedText.redacted($0.value)) },
            body: body.map { body in
                let text = String(decoding: body.bytes, as: UTF8.self)
                return status < 300
                    ? AnswerText.redacted(text) : RecordedText.redacted(text, limit: 1 << 16)
            },
            size: report.grpcStatus == nil ? report.bytes ?? body?.size ?? 0 : body?.size ?? 0,
            isCut: body?.isCut ?? false,
            grpc: report.grpcStatus.map { RemoteAnswer($0, bytes: report.bytes) }
        )
    }

    /// The trip of a search as the body of an answer, because the answer has all trips of a page.
    private static func listedTrip(_ report: PollReport) -> KeptBody? {
        guard report.call == .searchTrips, case .success(.trip(let trip)) = report.outcome else { return nil }
        return KeptBody(TripCoding.encode(trip))
    }
}

/// The time of the next poll and its reason.
package struct RecordedSchedule: Sendable, Equatable, Codable {
    /// The regular interval in seconds.
    package var interval: Double
    /// When the next poll is due, in seconds on the steady clock; `nil` while a poll is in progress.
    package var next: Double?
    /// The reason for that time, such as `interval` or `backOff`.
    package var reason: String
    /// Whether polling is paused.
    package var isPaused: Bool
    /// The number of successive failures.
    package var failures: Int
    /// The requested interval in seconds, if it was out of range.
    package var clampedFrom: Double?

    /// Converts a schedule.
    package init(_ schedule: PollSchedule) {
        interval = schedule.interval.recorded
        next = schedule.next?.recorded
        reason = schedule.reason.rawValue
        isPaused = schedule.isPaused
        failures = schedule.failures
        clampedFrom = schedule.clampedFrom?.recorded
    }

    /// The schedule; an unknown reason counts as the regular interval.
    package var schedule: PollSchedule {
        var schedule = PollSchedule(
            interval: Duration(recorded: interval),
            next: next.map(Duration.init(recorded:))
        )
        schedule.reason = PollSchedule.Reason(rawValue: reason) ?? .interval
        schedule.isPaused = isPaused
        schedule.failures = failures
        schedule.clampedFrom = clampedFrom.map(Duration.init(recorded:))
        return schedule
    }
}

/// A command or the quota changed the poll schedule.
package struct RecordedScheduleChange: Sendable, Equatable, Codable {
    /// The trip.
    package var trip: String
    /// The new schedule.
    package var schedule: RecordedSchedule

    package init(trip: JourneyID, schedule: PollSchedule) {
        self.trip = trip.name
        self.schedule = RecordedSchedule(schedule)
    }
}
