import Failures
import Runtime

extension UserMessage {
    /// Quotes the cache that sent the answer, because it explains the failure; `nil` changes nothing.
    mutating func quote(_ cache: CacheEvidence?, _ localizer: Localizer) {
        guard let cache else { return }
        what += localizer(.cachedDetail(headers: Reporter.sanitized(cache.text, limit: 200)))
    }
}
