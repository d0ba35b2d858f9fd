import Canvas
import FleetTokens
import Runtime
import TripFeed
import TripModel
import TripText

/// What the events of polls, tokens and searches change.
extension State {
    mutating func handle(_ event: FeedEvent, _ changes: [JourneyChange]) {
        // A trip that is added at run time appears with its first event.
        if followed.places[event.journey] == nil { append(event.journey) }
        guard let index = followed.places[event.journey] else { return }
        let wasFrozen = isFrozen
        if !changes.isEmpty { trips[index].handle(changes, log.journeys[event.journey]) }
        switch event {
        case .polling(_, let schedule):
            trips[index].schedule = schedule
            trips[index].asked = time.latest
        case .polled(let report, let state, let schedule):
            let page = project.calls.page(of: report)
            followed.all[index].add(
                report,
                page,
                &followed.bodies,
                &followed.calls,
                calls: CallLog.Limit(trips: trips.count)
            )
            giveUpOldBodies()
            trips[index].handle(state, at: report.finished)
            trips[index].addPoll(report, EventStamp(number: log.journeys.lastEvent, received: report.finished))
            trips[index].schedule = schedule
            trips[index].asked = nil
            if index == selected, display.isReady { trips[index].drawMap() }
            if index == selected { refreshView() }
            if report.finished.steady > time.latest.steady { time.latest = report.finished }
            now = time.latest
        case .found(_, let findings):
            trips[index].add(findings, EventStamp(number: log.journeys.lastEvent, received: time.latest))
        case .omitted(_, let omission):
            trips[index].history.add(omission)
        case .scheduled(_, let schedule):
            trips[index].schedule = schedule
        case .driver(_, let call):
            followed.all[index].add(call, &followed.calls, calls: CallLog.Limit(trips: trips.count))
            // It changes nothing of the trip, but the driver's token was used.
            trips[index].handle([], log.journeys[event.journey])
        case .ended(_, let end):
            trips[index].end = end
            trips[index].asked = nil
            planNext(after: index)
        }
        if wasFrozen, !isFrozen { now = time.latest }
        if let ordered = input.orderedPause, ordered == isPaused { input.orderedPause = nil }
        addToLog(log.reporter.messages(of: changes, log.journeys), changes.first?.stamp)
        if case .ended(_, .left) = event {
            remove(index)
        } else if case .ended = event {
            removeOldestEnded()
        }
    }

    private mutating func giveUpOldBodies() {
        while let item = followed.bodies.popExcess() {
            guard let index = followed.places[item.journey] else { continue }
            trips[index].giveUpBody(item.number)
        }
    }

    /// Returns the effects of a feed event: ring the bell, or restore the ride's speed after a new status.
    mutating func effects(of event: FeedEvent, _ changes: [JourneyChange]) -> [Effect] {
        var effects: [Effect] = []
        if settings.rings,
            let text = log.alerts.text(
                for: changes,
                log.journeys,
                host: settings.host,
                localizer: settings.localizer
            )
        {
            effects.append(.ring(text))
        }
        guard let rideSettings = settings.ride else { return effects }
        if case .polled(let report, let state, _) = event, report.failure == nil {
            let status = state.journey?.status
            let change = ride.handle(
                event.journey,
                status,
                after: report.finished.steady - report.started.steady,
                skipsBeginning: rideSettings.skipsBeginning
            )
            if let change { effects.append(.ride(change)) }
        } else if hasEnded, let change = ride.ended() {
            effects.append(.ride(change))
        }
        return effects
    }

    mutating func handle(_ event: TokenEvent, _ changes: [JourneyChange]) {
        switch event.context {
        case .trip, .tracking:
            guard let trip = event.context.journey, let index = followed.places[trip] else { return }
            followed.all[index].handle(event, &followed.calls, calls: CallLog.Limit(trips: trips.count))
            trips[index].handle(changes, log.journeys[trip])
        case .server:
            project.token = event.status
            project.tokenEvent = EventStamp(number: log.journeys.lastEvent, received: event.at)
            project.calls.add(event, &followed.calls, limit: CallLog.Limit(trips: 1))
        case .vehicle, .task, .deliveryVehicle: return
        }
        if event.at.steady > time.latest.steady { time.latest = event.at }
        if !isFrozen { now = time.latest }
        addToLog(log.reporter.messages(of: changes, log.journeys), changes.first?.stamp)
    }

    mutating func handle(_ event: SearchEvent) {
        if let call = event.call { project.calls.add(call, &followed.calls, limit: CallLog.Limit(trips: 1)) }
        if event.finished.steady > time.latest.steady { time.latest = event.finished }
        if !isFrozen { now = time.latest }
    }

    private mutating func addToLog(_ messages: [EventMessage], _ stamp: EventStamp?) {
        if !messages.isEmpty { display.changes += 1 }
        for item in messages {
            addToLog(
                EventLog.Entry(
                    time: item.time,
                    journey: item.journey,
                    role: item.role,
                    text: item.text,
                    advice: item.advice,
                    isInterval: item.isInterval,
                    origins: [stamp].compactMap(\.self).map(Statement.Origin.event)
                )
            )
        }
    }

    /// Adds an entry; a scrolled log and the scrolled panel of the shown trip retain their position.
    mutating func addToLog(_ entry: EventLog.Entry) {
        guard log.add(entry) else { return }
        panels.log.adjustScroll(after: entry, in: log)
        guard panels.trip.eventScroll > 0, let shown = trip?.id, entry.concerns(shown) else { return }
        panels.trip.adjustEvents(movedBy: 1, among: log.entries(of: shown).count)
    }
}
