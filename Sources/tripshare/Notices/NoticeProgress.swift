import Runtime
import TripText

/// What a screen shows about notices that are not delivered yet.
enum NoticeProgress: Sendable, Equatable {
    /// The session goes on; the receivers for which notices wait, with their number.
    case backlog([NoticeBacklog])
    /// The session has ended; the number of notices that are being delivered, and for how long at most.
    case ending(count: Int, left: Duration)

    /// The maximum number of receivers in a sentence.
    private static let mostReceivers = 3

    /// Returns the sentence; empty if there is nothing to say.
    ///
    /// `key` is the name of the key that ends the program.
    func text(_ localizer: Localizer, quit key: String) -> String {
        switch self {
        case .backlog(let backlogs):
            let sentences = backlogs.prefix(Self.mostReceivers).map {
                localizer(.noticesBacklog(count: $0.count, receiver: $0.receiver))
            }
            return (sentences + (backlogs.count > Self.mostReceivers ? ["…"] : []))
                .joined(separator: localizer(.listComma))
        case .ending(count: 0, _): return ""
        case .ending(let count, let left):
            let seconds = "\(max(0, Int(left.seconds.rounded(.up))))"
            return localizer(.noticesUnderWay(count: count, seconds: seconds, key: key))
        }
    }
}

/// The notices that wait for a slow receiver.
struct NoticeBacklog: Sendable, Equatable {
    /// The name that may be shown: the command without its arguments, or the host.
    let receiver: String
    let count: Int
}
