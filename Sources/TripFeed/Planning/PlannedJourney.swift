/// A journey of a ``Planner``: the rules of its polls, and why it is asked for.
struct PlannedJourney: Sendable {
    /// The time of a request, and what comes before it.
    struct Place: Equatable, Sendable {
        let priority: Planner.Priority
        let due: Duration
    }

    /// Decides when the next regular poll is due and when there is none any more.
    var rules: PollMachine
    /// The number of the last sweep that listed it.
    var sweep = 0
    /// Whether the service has said that it exists.
    var isSeen = false
    /// Whether it is polled at every interval.
    var isShown = false
    /// Since when a last request for it is wanted, because the sweep no longer lists it or because the user asked.
    var missingSince: Duration?
    /// Since when its vehicle is known to move.
    var movingSince: Duration?
    /// Whether its request has a slot of the budget for the time at which it is due.
    var hasSlot = false
    private(set) var isInFlight = false

    /// Creates a journey whose first regular poll is due as the rules say.
    init(_ rules: PollMachine, sweep: Int = 0, isShown: Bool = false) {
        (self.rules, self.sweep, self.isShown) = (rules, sweep, isShown)
    }

    /// The place of the next request; `nil` if only an answer or a command can lead to one.
    var place: Place? {
        guard !isInFlight else { return nil }
        let regular = rules.nextPoll
        if isShown, let regular, missingSince.map({ regular <= $0 }) ?? true {
            return Place(priority: .shown, due: regular)
        }
        // A last request does not wait for the interval.
        if let missingSince { return Place(priority: .missing, due: missingSince) }
        guard let regular, let movingSince else { return nil }
        return Place(priority: .moving, due: max(regular, movingSince))
    }

    /// Records that its request was sent.
    mutating func begin(at now: Duration, startsSeries: Bool) {
        rules.began(at: now, startsSeries: startsSeries)
        (isInFlight, hasSlot, movingSince) = (true, false, nil)
    }

    /// Records that its request has ended.
    mutating func finish() { (isInFlight, missingSince) = (false, nil) }
}
