package import Failures
import FleetWire
import Foundation
package import Runtime
package import TripFeed
package import TripModel

/// A request is about to be sent.
package struct RecordedRequest: Sendable, Equatable, Codable {
    /// The trip.
    package var trip: String
    /// The poll schedule at that time.
    package var schedule: RecordedSchedule

    package init(journey: JourneyID, schedule: PollSchedule) {
        self.trip = journey.name
        self.schedule = RecordedSchedule(schedule)
    }
}

/// A completed poll: the request and its answer as received.
package struct RecordedPoll: Sendable, Equatable, Codable {
    /// The trip.
    package var trip: String
    /// `true` if the call had a server token instead of one for the trip.
    package var server: Bool?
    /// The call; `nil` if none was made, because there was no token or because of an injected fault.
    ///
    /// It has no subject, which is ``trip``, and no failure, which is ``failure``.
    package var call: Call?
    /// When the poll began, before it had a token; `nil` if ``call`` says it.
    package var started: RecordedMoment?
    /// When the outcome was known; `nil` if ``call`` says it.
    package var finished: RecordedMoment?
    /// The trip that a search has listed as GetTrip returns one; `nil` for a call for one trip.
    ///
    /// The call is the call for the page, without its bodies, which are in the line of the search.
    package var listed: String?
    /// Why the poll failed; `nil` if it succeeded.
    package var failure: Failure?
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
        trip = report.journey.name
        server = report.isByServer ? true : nil
        call = report.call
        call?.subject = ""
        if call?.failure != nil { call?.failure = nil }
        if call?.started != report.started { started = RecordedMoment(report.started) }
        if call?.ended != report.finished { finished = RecordedMoment(report.finished) }
        failure = report.failure
        listed = report.listedTrip.map { String(decoding: $0.bytes, as: UTF8.self) }
        self.schedule = RecordedSchedule(schedule)
        // The rules know a token of the trip only.
        examined = report.examined.flatMap {
            RecordedExamination($0, after: report.isByServer ? ExaminedToken() : token, schedule)
        }
    }
}

extension PollReport {
    /// The trip of a search as the body of an answer, because the answer has all trips of a page; `nil` for other calls.
    fileprivate var listedTrip: StoredBody? {
        guard operation == .searchTrips, case .success(let journey) = outcome, let trip = journey.trip else {
            return nil
        }
        return StoredBody(redacting: TripCoding.encode(trip))
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

    package init(journey: JourneyID, schedule: PollSchedule) {
        self.trip = journey.name
        self.schedule = RecordedSchedule(schedule)
    }
}
