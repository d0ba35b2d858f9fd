import Canvas
import FleetTokens
import Runtime
import TripFeed
import TripModel
import TripText

extension State {
    /// Updates the screen with a message.
    ///
    /// - Returns: The effects to perform, in this order.
    package mutating func update(_ message: Message) -> [Effect] {
        switch scope(of: message) {
        case .time: break
        case .texts: display.textChanges += 1
        case .all: display.changes += 1
        }
        let effects = perform(message)
        guard display.isReady else { return effects }
        prepareMap()
        keepFit()
        keepLongList()
        return effects + basemapRequests()
    }

    private mutating func perform(_ message: Message) -> [Effect] {
        switch message {
        case .feed(let event):
            let changes = log.journeys.apply(event, at: time.latest)
            followed.calls.event = log.journeys.lastEvent
            handle(event, changes)
            keepVehicleInSight()
            return effects(of: event, changes)
        case .token(let event):
            let changes = log.journeys.apply(event)
            followed.calls.event = log.journeys.lastEvent
            handle(event, changes)
            return []
        case .search(let event):
            followed.calls.event = nil
            handle(event)
            return []
        case .logged(let step):
            handle(step)
            return []
        case .key(let key):
            self.message = nil
            input.hasTyped = true
            if titlePage != nil, KeyMap.binding(for: key, in: self)?.command != .quit {
                show(page: nil)
                return []
            }
            if let asked {
                withdrawQuestion()
                return key == .character("y") ? perform(asked) : []
            }
            if prompt != nil { return type(key) }
            return updateOverlay(with: key) ?? press(key)
        case .pointer(let pointer):
            if pointer.action == .press { withdrawQuestion() }
            return handle(pointer)
        case .paste(let text):
            self.message = nil
            withdrawQuestion()
            paste(text)
            return []
        case .inspected(let trip, let verdict):
            guard let index = followed.places[trip] else { return [] }
            trips[index].verdict = verdict
            trips[index].inspected = time.latest.wall
            return []
        case .resized(let width, let height):
            self.width = max(0, width)
            self.height = max(0, height)
            keepVehicleInSight()
            return []
        case .tick(let moment):
            if moment.steady > time.latest.steady { time.latest = moment }
            if !isFrozen { now = time.latest }
            keepVehicleInSight()
            return []
        case .speed(let speed):
            settings.speed = speed
            ride.observe(rate: speed)
            return []
        case .basemap(let basemap):
            settings.basemap = basemap
            (display.requestedTiles, display.incompleteTiles, display.basemapTrip) = ([], [], nil)
            if self.message == settings.localizer(.readingBasemap) { self.message = nil }
            nameUnknownLayers(of: basemap)
            return []
        case .tiles(let tiles, let archive):
            guard settings.basemap?.archive === archive else { return [] }
            let needed = neededTiles
            settings.basemap?.add(tiles, needed: needed)
            reportIncomplete(tiles)
            return []
        case .caption(let text, let conditions):
            show(caption: text, while: conditions)
            return []
        case .page(let page):
            show(page: page)
            return []
        case .command(let command): return perform(command, by: .character(" "))
        case .complaint(let text):
            self.message = text.sanitized(limit: 300)
            return []
        case .saved(let path):
            self.message = settings.localizer(.pictureSaved(file: path.sanitized(limit: 300)))
            return []
        case .expectations(let results, let changed):
            handle(results, changed: changed)
            return []
        case .faults(let active):
            switchFaults(to: active)
            return []
        case .remark(let remark):
            handle(remark)
            return []
        case .found(let trips):
            project.found = Array(trips.prefix(Self.mostFoundTrips))
            return []
        case .timeLine(let timeLine):
            self.timeLine = timeLine
            return []
        case .notice(let text):
            addToLog(
                EventLog.Entry(time: time.latest.wall, journey: nil, role: .accent, text: text.sanitized(limit: 300))
            )
            return []
        }
    }

    /// Performs the command of a key.
    mutating func press(_ key: Key) -> [Effect] {
        guard let binding = KeyMap.binding(for: key, in: self) else {
            explainIgnoredKey(key)
            return []
        }
        // A key is easily hit by mistake; a file stays.
        if binding.question != nil {
            ask(.perform(binding.command))
            return []
        }
        return binding.perform(&self, key)
    }

    /// Performs what was confirmed.
    private mutating func perform(_ answered: Focus.Question) -> [Effect] {
        switch answered {
        case .remove(let trip): [.remove(trip)]
        case .perform(let command): perform(command, by: .enter)
        }
    }

    // MARK: Events

    /// Returns the effects of a feed event: ring the bell, or restore the ride's speed after a new status.
    private mutating func effects(of event: FeedEvent, _ changes: [JourneyChange]) -> [Effect] {
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

    /// Computes the map of the shown trip if its last answer arrived while another trip was shown.
    ///
    /// This avoids the cost for thousands of trips that are not shown.
    mutating func prepareMap() {
        guard trips.indices.contains(selected), !trips[selected].isMapCurrent else { return }
        trips[selected].drawMap()
    }

    /// Appends a trip to the list.
    mutating func append(_ journey: JourneyID) {
        followed.places[journey] = trips.count
        trips.append(FollowedTrip(id: journey))
        log.reporter.namesTrips = trips.count > 1
    }

    /// Removes a trip from the screen; the last one stays, because the screen needs a trip.
    private mutating func remove(_ index: Int) {
        guard trips.count > 1 else { return }
        followed.all[index].giveUpBodies(&followed.bodies)
        followed.places[trips[index].id] = nil
        trips.remove(at: index)
        // Reading the trips would copy each of them.
        followed.places = followed.places.mapValues { $0 > index ? $0 - 1 : $0 }
        log.reporter.namesTrips = trips.count > 1
        guard index <= selected else { return }
        let wasShown = index == selected
        selected = max(0, min(index < selected ? selected - 1 : selected, trips.count - 1))
        if wasShown { forgetPlaces() }
        if view == .trips { _ = update(TripsPanel.self) { $0.keepSelectionVisible(in: $1) } }
    }

    private mutating func handle(_ event: FeedEvent, _ changes: [JourneyChange]) {
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
        case .ended(_, let end):
            trips[index].end = end
            trips[index].asked = nil
        }
        if wasFrozen, !isFrozen { now = time.latest }
        if let ordered = input.orderedPause, ordered == isPaused { input.orderedPause = nil }
        addToLog(log.reporter.news(of: changes, log.journeys), changes.first?.stamp)
        if case .ended(_, .left) = event {
            remove(index)
        } else if case .ended = event {
            removeOldestEnded()
        }
    }

    /// Removes the first ended trip of the list if there are too many.
    private mutating func removeOldestEnded() {
        guard trips.count > followed.maximumEnded else { return }
        // By index: an element of the loop would be a copy of the whole trip.
        let ended = trips.indices.filter { trips[$0].end != nil }
        guard ended.count > followed.maximumEnded, let oldest = ended.first(where: { $0 != selected }) else { return }
        remove(oldest)
    }

    private mutating func giveUpOldBodies() {
        while let item = followed.bodies.popExcess() {
            guard let index = followed.places[item.journey] else { continue }
            trips[index].giveUpBody(item.number)
        }
    }

    private mutating func handle(_ event: TokenEvent, _ changes: [JourneyChange]) {
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
        addToLog(log.reporter.news(of: changes, log.journeys), changes.first?.stamp)
    }

    private mutating func handle(_ event: SearchEvent) {
        if let call = event.call { project.calls.add(call, &followed.calls, limit: CallLog.Limit(trips: 1)) }
        if event.finished.steady > time.latest.steady { time.latest = event.finished }
        if !isFrozen { now = time.latest }
    }

    private mutating func addToLog(_ messages: [News], _ stamp: EventStamp?) {
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
        panels.log.keepShown(after: entry, in: log)
        guard panels.trip.eventScroll > 0, let shown = trip?.id, entry.concerns(shown) else { return }
        panels.trip.keepEvents(movedBy: 1, among: log.entries(of: shown).count)
    }
}
