package import Failures
import FleetTokens

extension UserMessage {
    /// Describes the result of a rule for a token.
    package init(_ finding: TokenFinding, localizer: Localizer = .english) {
        let what = localizer(finding.sentence).trimmingSuffix { ".。".contains($0) }
        self.init(what, what, finding.remedy.map { localizer($0) })
        blame(finding.diagnosis, localizer)
    }
}
