import Failures
import TripModel

extension FleetAnswer {
    /// Returns the answer as the session interprets, shows and records it: without tokens.
    ///
    /// A recording has no tokens, so a session that interpreted one would show something else than its replay. A body that is
    /// too large to be recorded completely stays as received; what is shown of it is redacted when it is drawn. So does an
    /// answer about a trip whose ID is part of the token, because it would be about another trip without it.
    ///
    /// - Returns: `nil` if it stays as received without being searched.
    func redacted(about id: JourneyID) -> FleetAnswer? {
        guard !response.body.isEmpty, response.body.count <= KeptBody.largest,
            AnswerText.redacted(id.rawValue) == id.rawValue
        else { return nil }
        var answer = self
        answer.response.body = AnswerText.redacted(response.body, isRefusal: response.status >= 300)
        return answer
    }
}
