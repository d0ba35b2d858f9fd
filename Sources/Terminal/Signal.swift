import Glibc

/// What a signal asks of the screen.
enum Signal: Equatable {
    case windowChanged
    case stop
    case continued
    /// The process is to end.
    case end
    case other

    /// The signal of a terminal that has gone.
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
