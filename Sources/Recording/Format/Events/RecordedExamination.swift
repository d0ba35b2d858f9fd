package import Failures
import Foundation
import Runtime
package import TripFeed
import TripModel

/// What the rules examined with a poll, if the lines before it and its schedule do not say it.
package struct RecordedExamination: Sendable, Equatable, Codable {
    /// The values of a token that the rules use, in the form that they have in ``RecordedTokenState``.
    package struct Token: Sendable, Equatable, Codable {
        /// The number of tokens.
        package var generation: Int
        /// The time of issue: RFC 3339, UTC, in the service's time.
        package var issuedAt: String?
        /// The expiry.
        package var expiresAt: String?
        /// Why the latest token is not usable.
        package var fault: Failure?
        /// `tripid` of the last rejected token.
        package var rejectedTrip: String?
        /// `vehicleid` of the last rejected token.
        package var rejectedVehicle: String?
        /// The clock of the token's source minus the local clock, in seconds.
        package var sourceClockOffset: Double?

        /// Converts a token.
        init(_ token: ExaminedToken) {
            generation = token.generation
            issuedAt = token.issuedAt.map(Timestamp.text)
            expiresAt = token.expiresAt.map(Timestamp.text)
            fault = token.fault
            rejectedTrip = token.rejectedTrip.map { RecordedText.redacted($0) }
            rejectedVehicle = token.rejectedVehicle.map { RecordedText.redacted($0) }
            sourceClockOffset = token.sourceClockOffset?.recordedExactly
        }

        /// The token; a fault with an unknown code is left out.
        package var examined: ExaminedToken {
            var token = ExaminedToken()
            token.generation = generation
            token.issuedAt = issuedAt.flatMap(Timestamp.date)
            token.expiresAt = expiresAt.flatMap(Timestamp.date)
            token.fault = fault?.code.family == "fault" ? fault : nil
            token.rejectedTrip = rejectedTrip?.bounded(to: RecordedText.longest)
            token.rejectedVehicle = rejectedVehicle?.bounded(to: RecordedText.longest)
            token.sourceClockOffset = sourceClockOffset.map(Duration.init(recorded:))
            return token
        }
    }

    /// The trip's token; `nil` if it was as after the last event of the token.
    package var token: Token?
    /// The poll interval in seconds; `nil` if it was the interval of the schedule.
    package var interval: Double?

    /// Converts what was examined; `nil` if the last event of the token and the schedule say it.
    init?(_ examined: PollReport.Examined, after last: ExaminedToken, _ schedule: PollSchedule) {
        if examined.token != last { token = Token(examined.token) }
        if examined.interval != schedule.interval { interval = examined.interval.recordedExactly }
        if token == nil, interval == nil { return nil }
    }
}

extension RecordedPoll {
    /// Returns what the rules examined with the poll.
    ///
    /// - Parameters:
    ///   - last: The trip's token after its last event before the poll.
    ///   - schedule: The schedule after the poll.
    /// - Returns: What the poll says itself, else what these say.
    func examined(after last: ExaminedToken, _ schedule: PollSchedule) -> PollReport.Examined {
        PollReport.Examined(
            // The rules know a token of the trip only.
            token: examined?.token?.examined ?? (server == true ? ExaminedToken() : last),
            interval: examined?.interval.map(Duration.init(recorded:)) ?? schedule.interval
        )
    }
}
