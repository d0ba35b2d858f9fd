package import FleetTokens
package import Runtime
package import TripModel

/// The only fold of a session's events: what they have shown of each journey, and what each of them has changed.
///
/// A function of the events, their numbers and their times: equal events give equal facts and changes, whether they come from a
/// service, a recording or a log. The facts of a journey that has ended are there until the next event; if it is followed again,
/// nothing is known of it.
package struct JourneyTable: Sendable {
    private var journeys: [JourneyID: JourneyFacts] = [:]
    /// The journey whose end was the last event.
    private var ended: JourneyID?
    /// What is known about the clocks of the service and of the token endpoint.
    package private(set) var clocks = ClockFacts()
    /// The first answer of any journey; `nil` before.
    package private(set) var firstAnswer: EventStamp?
    /// The number of the last event.
    package private(set) var lastEvent = EventNumber.none

    /// Creates a table of a session without events.
    package init() {}

    /// Returns the facts of a journey; `nil` if there was no event of it, and after its end.
    package subscript(_ journey: JourneyID) -> JourneyFacts? { _read { yield journeys[journey] } }

    /// The number of journeys that are followed.
    package var count: Int { journeys.count - (ended == nil ? 0 : 1) }

    /// Records the next event; returns what it has changed.
    ///
    /// It was received at `now`; a complete poll has its own time.
    package mutating func apply(_ event: FeedEvent, at now: Moment) -> [JourneyChange] {
        start()
        let journey = event.journey
        let stamp = EventStamp(number: lastEvent, received: event.finished ?? now)
        let kinds = journeys[journey, default: JourneyFacts(journey: journey)].apply(event, stamp, &clocks)
        if case .ended = event { ended = journey }
        if firstAnswer == nil, journeys[journey]?.answer != nil { firstAnswer = stamp }
        return kinds.map { JourneyChange(journey: journey, stamp: stamp, kind: $0) }
    }

    /// Records the next event of a token; an event of a vehicle's or a backend's token changes no journey.
    ///
    /// Nothing is stored for a journey that is not followed, because events of its token may come after its end.
    package mutating func apply(_ event: TokenEvent) -> [JourneyChange] {
        start()
        guard let journey = event.context.journey else { return [] }
        let stamp = EventStamp(number: lastEvent, received: event.at)
        if case .stored = event.kind { clocks.apply(event.status.sourceClockOffset) }
        let kinds: [JourneyChange.Kind]
        if journeys[journey] != nil || event.kind.isOfFollowed {
            kinds = journeys[journey, default: JourneyFacts(journey: journey)].apply(event, stamp)
        } else {
            var unknown = JourneyFacts(journey: journey)
            kinds = unknown.apply(event, stamp)
        }
        return kinds.map { JourneyChange(journey: journey, stamp: stamp, kind: $0) }
    }

    /// Leaves out the events before this one: the next one gets its number.
    package mutating func skip(to event: EventNumber) { lastEvent = EventNumber(rawValue: event.rawValue - 1) }

    private mutating func start() {
        lastEvent = lastEvent.next
        if let ended { journeys[ended] = nil }
        ended = nil
    }
}

/// What is known about the clocks of the service and of the token endpoint.
package struct ClockFacts: Sendable {
    /// How far the clock of the token endpoint is ahead of the local one; `nil` if unknown.
    package private(set) var endpointOffset: Duration?
    /// Which clock is wrong, by the last answer with the time of the service.
    private var verdict = ClockVerdict.agree

    mutating func apply(_ endpointOffset: Duration?) { self.endpointOffset = endpointOffset }

    mutating func apply(_ state: TripState) -> [JourneyChange.Kind] {
        let before = verdict
        verdict = ClockVerdict(endpoint: endpointOffset, state)
        return verdict.isSimilar(before) ? [] : [.clocks(verdict)]
    }
}

extension TokenEvent.Kind {
    /// Whether a journey whose token it is about is followed: polls need the token, or a slow reader has not read that.
    fileprivate var isOfFollowed: Bool {
        switch self {
        case .fetching(.needed), .omitted: true
        default: false
        }
    }
}

extension FeedEvent {
    /// When the poll ended; `nil` for other events.
    package var finished: Moment? { if case .polled(let report, _, _) = self { report.finished } else { nil } }
}
