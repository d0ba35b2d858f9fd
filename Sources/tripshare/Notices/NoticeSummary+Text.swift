import Foundation
import Runtime
import TripText

extension NoticeSummary {
    /// The number of all notices.
    var total: Int { delivered + waiting + refused + expired }

    /// Returns the summary in one line, such as `37 of 40 notices delivered; 3 wait in FILE`.
    func text(_ localizer: Localizer) -> String {
        var parts = [localizer(.noticesDelivered(count: total, delivered: "\(delivered)"))]
        if let path, waiting > lost {
            parts.append(localizer(.noticesWaiting(count: waiting - lost, file: excerpt(path: path))))
        }
        if lost > 0 { parts.append(localizer(.noticesLost(count: lost))) }
        if refused > 0 { parts.append(localizer(.noticesRefused(count: refused))) }
        if expired > 0 { parts.append(localizer(.noticesExpired(count: expired))) }
        if unstored > lost, path != nil { parts.append(localizer(.noticesUnstored(count: unstored))) }
        return parts.joined(separator: "; ") + localizer(.fullStop)
    }

    /// Returns who sends what waits after the session; `nil` if nothing waits in the file.
    func hint(_ localizer: Localizer) -> String? {
        path != nil && waiting > lost ? localizer(.noticesHowToSend) : nil
    }
}

/// The line of `--output json` about the notices, at the end of a session.
struct NoticesLine: Encodable {
    var type = "notices"
    var time: String
    var delivered: Int
    var repeated: Int
    var refused: Int
    var expired: Int
    var waiting: Int
    var lost: Int
    var unstored: Int
    /// The file in which notices wait.
    var file: String?

    init(_ summary: NoticeSummary, at now: Date) {
        time = Timestamp.text(now)
        (delivered, repeated, refused) = (summary.delivered, summary.repeated, summary.refused)
        (expired, waiting, lost) = (summary.expired, summary.waiting, summary.lost)
        (unstored, file) = (summary.unstored, summary.path)
    }
}
