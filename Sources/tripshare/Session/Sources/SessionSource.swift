import AsyncAlgorithms

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

    /// A part of a recording or a log.
    ///
    /// The end comes through the same channel as the items, so that it can't overtake them.
    enum Part: Sendable {
        /// The next items.
        case items([SessionItem])
        /// Everything was read.
        case end
    }

    /// The parts of a recording or a log, in order; of polls there are none.
    var parts: AsyncChannel<Part> {
        switch self {
        case .polls, .project: AsyncChannel()
        case .replay(let replay): replay.parts
        case .log(let log): log.parts
        }
    }

    /// Sends the ``parts`` when they are due.
    func play(_ clock: ScaledClock) async {
        switch self {
        case .polls, .project: break
        case .replay(let replay): await replay.play(clock)
        case .log(let log): await log.read(clock)
        }
    }

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
