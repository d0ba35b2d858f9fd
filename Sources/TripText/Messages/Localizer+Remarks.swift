import Canvas
import Runtime
package import TripFeed

/// The texts of notes, marks and switched faults.
extension Localizer {
    /// Describes a remark in one sentence without a full stop; `faultName` translates the name of a fault.
    package func sentence(about remark: SessionRemark, faultName: (String) -> String) -> String {
        switch remark.content {
        case .note(let text): self(.noteTaken(text: text.sanitized(limit: 500)))
        case .mark: self(.markTaken)
        case .fault(let name, let isActive):
            self(isActive ? .faultOn(name: faultName(name)) : .faultOff(name: faultName(name)))
        case .caption(let text, _): text.sanitized(limit: 300)
        }
    }
}
