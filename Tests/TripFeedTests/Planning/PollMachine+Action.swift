import TripFeed

extension PollMachine {
    /// What a planner does with a journey that is alone.
    enum Action: Sendable, Equatable {
        case poll
        case wait(until: Duration)
        /// Wait for a command.
        case hold
        case stop(FeedEnd)
    }

    /// Returns the next step; call it only while no poll is in progress.
    func action(at now: Duration) -> Action {
        if let end { return .stop(end) }
        guard let nextPoll else { return .hold }
        return nextPoll <= now ? .poll : .wait(until: nextPoll)
    }
}
