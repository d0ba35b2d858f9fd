import Failures
package import FleetTokens

extension UserMessage {
    /// Describes why a token must not be used.
    package init(_ fault: TokenFault, localizer: Localizer = .english) {
        self.init(fault.failure, localizer: localizer)
    }

    /// Describes a warning about a token that is used nevertheless.
    package init(_ warning: TokenWarning, localizer: Localizer = .english) {
        self.init(warning.failure, localizer: localizer)
    }

    /// Describes the result of a rule for a token.
    package init(_ finding: TokenFinding, localizer: Localizer = .english) {
        let what = localizer(finding.sentence).trimmingSuffix { ".。".contains($0) }
        self.init(what, what, finding.remedy.map { localizer($0) })
        blame(finding.diagnosis, localizer)
    }
}
