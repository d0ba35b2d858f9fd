package import TripModel

extension Planner {
    // MARK: Journeys

    /// Follows named journeys, unless they are followed.
    ///
    /// Their polls are as far as possible from the polls of other journeys: multiples of the golden ratio, modulo 1, are evenly distributed
    /// over the interval for any number of journeys, which may therefore be added and removed at any time.
    package mutating func add(_ ids: [JourneyID], at now: Duration) {
        let new = ids.filter { journeys[$0] == nil }
        budget.trips = journeys.count + new.count
        let interval = max(policy.polling.clampedInterval, budget.shortestInterval)
        for id in new where journeys[id] == nil {
            let share = (Double(added) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
            // If its offset has only just passed, poll at once: the offset of the first journey is the start.
            let round = ((now - start) / interval - share - 0.1).rounded(.up)
            let due = start + interval * (max(0, round) + share)
            insert(id, PlannedJourney(rules: PollMachine(policy: policy.polling, firstDue: due), isShown: true))
            added += 1
        }
        budget.trips = journeys.count
    }

    /// Sets the trips of a project that the user sees; trips that no sweep has listed are added.
    package mutating func view(_ ids: Set<JourneyID>) {
        let wanted = ids.filter { ended[$0] == nil }
        for id in shown.subtracting(wanted).sorted(by: { $0.rawValue < $1.rawValue }) {
            update(id) { $0.isShown = false }
        }
        // Trips that are due at the same time are ordered by ID, because a set has another order in each run.
        for id in wanted.subtracting(shown).sorted(by: { $0.rawValue < $1.rawValue }) {
            if journeys[id] == nil { insert(id, listed(at: sweep?.start ?? start)) }
            update(id) { $0.isShown = true }
        }
        shown = wanted
    }

    /// Returns a trip of a project; every failure of such a trip counts as an outage.
    func listed(at now: Duration) -> PlannedJourney {
        PlannedJourney(
            rules: PollMachine(policy: policy.polling, firstDue: now, isKnown: true),
            sweep: sweep?.number ?? 0
        )
    }

    /// Removes a journey that has ended.
    package mutating func end(_ id: JourneyID) {
        remove(id)
        if let sweep { ended[id] = sweep.number }
    }

    /// Makes an ended trip of a project followable again.
    package mutating func restart(_ id: JourneyID) { ended[id] = nil }

    // MARK: Commands

    /// Requests a journey as soon as the service permits it.
    package mutating func request(_ id: JourneyID, at now: Duration) {
        update(id) { planned in
            planned.rules.pollNow(at: now)
            if !planned.isShown, planned.missingSince == nil { planned.missingSince = now }
        }
    }

    /// Pauses or resumes a journey; when all trips of a project are paused, sweeps stop, too.
    package mutating func pause(_ id: JourneyID, _ isOn: Bool) {
        update(id) { if isOn { $0.rules.pause() } else { $0.rules.resume() } }
    }

    /// Changes the interval of a journey; in a project, the interval of all trips.
    package mutating func setInterval(_ interval: Duration, of id: JourneyID, at now: Duration) {
        guard sweep != nil else { return update(id) { $0.rules.setInterval(interval, at: now) } }
        policy.polling.interval = interval
        for id in journeys.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            update(id) { $0.rules.setInterval(interval, at: now) }
        }
    }

    // MARK: Questions

    /// Whether all trips of a project are followed.
    package var hasSweeps: Bool { sweep != nil }

    /// Returns whether a journey is followed.
    package func isFollowed(_ id: JourneyID) -> Bool { journeys[id] != nil }

    /// Returns whether a journey is polled at every interval.
    package func isShown(_ id: JourneyID) -> Bool { journeys[id]?.isShown == true }

    /// Returns the interval of the polls of a journey.
    package func pollInterval(of id: JourneyID) -> Duration {
        journeys[id]?.rules.schedule.interval ?? policy.polling.clampedInterval
    }

    /// Returns the schedule of a journey, for display.
    package func schedule(of id: JourneyID) -> PollSchedule {
        let planned = journeys[id]
        var schedule =
            planned?.rules.schedule ?? PollSchedule(interval: policy.polling.clampedInterval, next: nil)
        guard let sweep, planned?.isShown != true else { return schedule }
        // Sweeps show its status.
        schedule.interval = sweep.interval
        if schedule.next != nil { schedule.next = sweep.start + sweep.interval }
        return schedule
    }
}
