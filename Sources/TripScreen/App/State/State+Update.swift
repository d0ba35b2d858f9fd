import Canvas
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
        showNext()
        guard display.isReady else { return effects }
        prepareMap()
        updateFit()
        updateLongList()
        return effects + basemapRequests()
    }

    private mutating func perform(_ message: Message) -> [Effect] {
        switch message {
        case .feed(let event):
            let changes = log.journeys.apply(event, at: time.latest)
            followed.calls.event = log.journeys.lastEvent
            handle(event, changes)
            scrollToVehicle()
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
        case .key(let key): return input.lock == nil ? handle(key) : handleLocked(key)
        case .pointer(let pointer):
            guard input.lock == nil else { return ignoreLocked() }
            if pointer.action == .press { withdrawQuestion() }
            return handle(pointer)
        case .paste(let text):
            guard input.lock == nil else { return ignoreLocked() }
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
            scrollToVehicle()
            return []
        case .tick(let moment):
            if moment.steady > time.latest.steady { time.latest = moment }
            if !isFrozen { now = time.latest }
            scrollToVehicle()
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
            input.savedFile = path
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
        case .delivery(let text):
            delivery = text.sanitized(limit: 300)
            return []
        case .notice(let text):
            addToLog(
                EventLog.Entry(time: time.latest.wall, journey: nil, role: .accent, text: text.sanitized(limit: 300))
            )
            return []
        }
    }
}
