import Failures
import FleetTokens
import FleetWire
import TripFeed

extension UserMessage {
    /// Adds the cache that sent the answer, which explains it better than the server, a token or a clock; `nil` changes nothing.
    mutating func blame(_ cache: CacheEvidence?, _ localizer: Localizer) {
        guard let cache else { return }
        what += localizer(.cachedDetail, ["headers": Reporter.sanitized(cache.text, limit: 200)])
        (advice, adviceOfLast) = (localizer(.cachedAdvice), nil)
        blame(Diagnosis([Diagnosis.Suspect(.network, .likely)]), localizer)
    }
}
