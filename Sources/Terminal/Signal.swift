import Foundation

/// The meaning of a signal for the screen.
enum Signal: Equatable {
    case windowChanged
    case stop
    case continued
    /// The process must end.
    case end
    case other

    /// The signal for a closed terminal.
    static let hangUp = SIGHUP

    init(_ number: Int32) {
        self =
            switch number {
            case SIGWINCH: .windowChanged
            case SIGTSTP: .stop
            case SIGCONT: .continued
            case SIGINT, SIGTERM, SIGHUP, SIGQUIT: .end
            default: .other
            }
    }
}
