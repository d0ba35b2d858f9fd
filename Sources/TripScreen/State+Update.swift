import Canvas
import FleetTokens
import TripFeed
import TripModel

extension State {
    /// Takes in news.
    ///
    /// The orders come back in the order in which they are to be carried out.
    package mutating func update(_ message: Message) -> [Effect] {
        switch message {
        case .feed(let event):
            take(event)
            return []
        case .token(let event):
            take(event)
            return []
        case .key(let key):
            guard let command = KeyMap.command(for: key, in: self) else { return [] }
            return perform(command)
        case .resized(let width, let height):
            self.width = max(0, width)
            self.height = max(0, height)
            return []
        case .tick(let moment):
            if moment.steady > latest.steady { latest = moment }
            if !isFrozen { now = latest }
            return []
        case .notice(let text):
            log.add(EventLog.Entry(time: latest.wall, trip: nil, role: .accent, text: Reporter.harmless(text)))
            return []
        }
    }

    // MARK: News

    private mutating func take(_ event: FeedEvent) {
        guard let index = trips.firstIndex(where: { $0.id == event.trip }) else { return }
        let wasFrozen = isFrozen
        switch event {
        case .polling(_, let schedule):
            trips[index].schedule = schedule
            trips[index].isPolling = true
        case .polled(let report, let state, let schedule):
            trips[index].lastReport = report
            trips[index].history.add(report)
            trips[index].state = state
            trips[index].schedule = schedule
            trips[index].isPolling = false
            trips[index].map = MapPicture(of: state)
            if report.finished.steady > latest.steady { latest = report.finished }
            now = latest
        case .found(_, let findings):
            trips[index].add(findings)
        case .scheduled(_, let schedule):
            trips[index].schedule = schedule
        case .ended(_, let end):
            trips[index].end = end
            trips[index].isPolling = false
        }
        if wasFrozen, !isFrozen { now = latest }
        tell(reporter.news(of: event, at: latest))
    }

    private mutating func take(_ event: TokenEvent) {
        guard case .trip(let trip) = event.context, let index = trips.firstIndex(where: { $0.id == trip }) else {
            return
        }
        trips[index].token = event.status
        if event.at.steady > latest.steady { latest = event.at }
        if !isFrozen { now = latest }
        tell(reporter.news(of: event))
    }

    private mutating func tell(_ news: [News]) {
        for item in news {
            log.add(EventLog.Entry(time: item.time, trip: item.trip, role: item.role, text: item.text))
        }
    }

    // MARK: Keys

    private mutating func perform(_ command: KeyBinding.Command) -> [Effect] {
        let active = trips.filter { $0.end == nil }
        switch command {
        case .quit:
            return [.quit]
        case .help:
            overlay = overlay == .help ? nil : .help
            return []
        case .closeOverlay:
            overlay = nil
            return []
        case .togglePause:
            let order: FeedCommand = isPaused ? .resume : .pause
            return active.map { .feed(order, $0.id) }
        case .pollNow:
            return trip.map { [.feed(.pollNow, $0.id)] } ?? []
        case .lessOften, .moreOften:
            return active.compactMap { trip in
                trip.schedule.map {
                    .feed(.setInterval(Self.step($0.interval, longer: command == .lessOften)), trip.id)
                }
            }
        case .refreshToken:
            return trip.map { [.refreshToken($0.id)] } ?? []
        case .nextTrip:
            selected = (selected + 1) % max(1, trips.count)
            return []
        case .previousTrip:
            selected = (selected + max(1, trips.count) - 1) % max(1, trips.count)
            return []
        case .olderEvents:
            log.scrollBack(by: 5)
            return []
        case .newerEvents:
            log.scrollBack(by: -5)
            return []
        case .newestEvents:
            log.scroll = 0
            return []
        }
    }

    /// The intervals that a key steps through, in seconds.
    static let intervals: [Double] = [1, 2, 3, 5, 10, 15, 30, 60]

    /// The next longer or shorter interval.
    static func step(_ interval: Duration, longer: Bool) -> Duration {
        let seconds = interval.seconds
        let next = longer ? intervals.first { $0 > seconds + 0.01 } : intervals.last { $0 < seconds - 0.01 }
        return next.map { .seconds($0) } ?? interval
    }
}

extension FeedEvent {
    /// The trip that it is about.
    var trip: TripID {
        switch self {
        case .polling(let trip, _), .found(let trip, _), .scheduled(let trip, _), .ended(let trip, _): trip
        case .polled(let report, _, _): report.trip
        }
    }
}
