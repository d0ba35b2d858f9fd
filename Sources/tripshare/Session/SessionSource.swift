/// Where the events of a session come from.
enum SessionSource: Sendable {
    /// Polls of the given trips, and of those that a file adds and removes while the program runs.
    case polls(file: TripsFile?)
    /// Polls of all active trips of the project.
    case project
    /// A recording or a log that is played.
    case replay(ReplaySource)
    /// A log that is followed.
    case log(LogSource)

    /// The file of trips; `nil` without one.
    var tripsFile: TripsFile? { if case .polls(let file) = self { file } else { nil } }
    /// What is played; `nil` for another source.
    var replay: ReplaySource? { if case .replay(let replay) = self { replay } else { nil } }
    /// The log that is followed; `nil` for another source.
    var log: LogSource? { if case .log(let log) = self { log } else { nil } }

    /// Whether the service is polled.
    var polls: Bool {
        switch self {
        case .polls, .project: true
        case .replay, .log: false
        }
    }

    /// Whether all active trips of the project are followed.
    var isProject: Bool { if case .project = self { true } else { false } }

    /// Returns whether trips may be added while the session runs.
    ///
    /// A log shows only those that were named, if any were. The recording of a project names none.
    func isOpen(named names: Bool) -> Bool {
        switch self {
        case .polls(let file): file != nil
        case .project: true
        case .replay, .log: !names
        }
    }
}
