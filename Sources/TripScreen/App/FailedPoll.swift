package import Failures
package import FleetTokens
import TripFeed
package import TripModel
package import TripText

/// A failed poll and the status of the token then.
///
/// All that the screen says about the failure comes from it.
package struct FailedPoll: Sendable, Equatable {
    /// Why the poll failed.
    package let failure: Failure
    /// The status of the token that explains it; `nil` if none does.
    package let token: TokenStatus?

    /// Creates a failed poll with the status of the token when it ended.
    init(_ failure: Failure, _ token: TokenStatus?) {
        (self.failure, self.token) = (failure, token?.explaining(failure))
    }

    /// Returns the message about it.
    package func message(about journey: JourneyID, _ settings: State.Settings) -> UserMessage {
        UserMessage(failure, token, journey: journey, host: settings.host, localizer: settings.localizer)
    }

    /// Returns all that is known about it.
    package func details(about journey: JourneyID, _ settings: State.Settings) -> FailureDetails {
        FailureDetails(
            failure,
            token,
            journey: journey,
            host: settings.host,
            zone: settings.zone,
            localizer: settings.localizer
        )
    }
}

extension FollowedTrip {
    /// The last poll if it failed; `nil` otherwise.
    package var failedPoll: FailedPoll? { lastFailure.flatMap { $0.end == nil ? $0.poll : nil } }

    /// Returns the message about why it is no longer followed; `nil` while it is.
    package func endMessage(host: String, _ localizer: Localizer) -> UserMessage? {
        end.map { UserMessage($0, tokenAtEnd, journey: id, host: host, localizer: localizer) }
    }

    private var tokenAtEnd: TokenStatus? {
        guard case .failed(let failure) = end else { return nil }
        return lastFailure?.poll.token?.explaining(failure)
    }
}
