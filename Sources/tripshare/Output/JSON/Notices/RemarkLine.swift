import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// A note, a mark, a caption or a switched fault: a line of the output and an element of a report.
struct RemarkLine: Encodable {
    var type = "remark"
    var time: String
    /// `note`, `mark`, `fault` or `caption`.
    var kind: String
    /// The text of a note or a caption.
    var text: String?
    /// The conditions under which a caption is shown.
    var `while`: String?
    /// The name of a fault.
    var fault: String?
    /// Whether the fault was switched on.
    var isActive: Bool?
    var trip: String?
    var status: String?
    /// The rows of the screen.
    var screen: [String]?

    init(_ remark: SessionRemark, withScreen hasScreen: Bool = false) {
        time = Timestamp.text(remark.time)
        kind = remark.kind
        switch remark.content {
        case .note(let note): text = note
        case .caption(let caption, let conditions):
            (text, self.while) = (caption, conditions.isEmpty ? nil : conditions)
        case .fault(let name, let isActive): (fault, self.isActive) = (name, isActive)
        case .mark: break
        }
        trip = remark.journey?.name
        status = remark.status?.name
        if hasScreen, !remark.screen.isEmpty { screen = remark.screen }
    }

    /// The remark in one line, in English.
    var sentence: String {
        let what = text ?? fault.map { "\($0) \(isActive == true ? "on" : "off")" } ?? kind
        let place = [trip, status].compactMap(\.self).joined(separator: " ")
        return "\(time)\(place.isEmpty ? "" : " \(place)"): \(what)"
    }
}
