import TripText

/// What keys and commands do in the view of one trip.
extension TripPanel {
    static let keys = [
        key("follow", "f", .keyFollow, .helpFollow) { $0.follow(in: $1.state) }
            .effective { $0.hasMap && $0.hasVehicle && !$0.showsLargeArrival && $0.mapControl.mode != .follow },
        key("showReports", "o", .keyReports, .helpReports) { $0.toggleReports() }
            .effective { $0.hasVehicle && !$0.showsLargeArrival }.hidden(),
        key("fit", "0", .keyFit, .helpFit) { $0.fit() }
            .effective { $0.hasMap && !$0.showsLargeArrival && $0.mapControl.mode != .fit },
        key("zoomIn", "z >", .keyZoomIn, .helpZoomIn) { $0.zoom(by: MapControl.zoomStep, in: $1.state) }
            .effective { $0.hasMap && !$0.showsLargeArrival }.late(),
        key("zoomOut", "Z <", .keyZoomOut, .helpZoomOut) { $0.zoom(by: 1 / MapControl.zoomStep, in: $1.state) }
            .effective { $0.hasMap && !$0.showsLargeArrival }.hidden(),
        key("pan", "Left Right Up Down h l k j", shown: "Arrows", .keyMoveMap, .helpMoveMap) {
            $0.pan(by: $1.key, in: $1.state)
        }
        .effective { $0.showsLargeArrival || $0.hasMap }.scrollingArrival(or: .keyMoveMap).byDirection().hidden(),
        key("largeMap", "b", .keyBigMap, .helpBigMap) { $0.toggleLargeMap() }
            .effective { $0.hasMap }.late(),
        key(.largeArrival, "a", .keyArrival, .helpArrival) { $0.toggleLargeArrival() }
            .effective { $0.shown { $0.isKnown } ?? false }.hidden(),
        key("olderEvents", "PgUp", .keyEvents, .helpEvents) { $0.scrollEvents(by: 5, in: $1.state) }
            .effective { $0.showsLargeArrival || $0.hasOlderEvents }.scrollingArrival(or: .keyEvents).late(),
        key("newerEvents", "PgDn", .keyNewerEvents, .helpNewerEvents) { $0.scrollEvents(by: -5, in: $1.state) }
            .effective { $0.showsLargeArrival || $0.panels.trip.eventScroll > 0 }.scrollingArrival(or: .keyNewerEvents)
            .late(),
        key("newestEvents", "End", .keyNewestEvents, .helpNewestEvents) { $0.showNewestEvents(in: $1.state) }
            .effective { $0.showsLargeArrival || $0.panels.trip.eventScroll > 0 }
            .scrollingArrival(or: .keyNewestEvents).late(),
    ]

    static let commands = [
        command("basemap", "FILE|off", .paletteBasemap) { _, name, state in
            name == "off"
                ? [.removeBasemap]
                : [.message(state.settings.localizer(.readingBasemap)), .perform(.readBasemap(name))]
        }
        .values { $0.settings.basemap == nil ? [] : ["off"] }
    ]
}

extension KeyBinding {
    /// It scrolls the arrival if it fills the screen.
    fileprivate func scrollingArrival(or label: Text) -> KeyBinding {
        labelled { $0.showsLargeArrival ? .keyScroll : label }
    }
}

extension State {
    /// Whether the shown trip has something to draw on a map.
    fileprivate var hasMap: Bool { shown { !$0.map.isEmpty } ?? false }

    /// Whether the place of the vehicle is known.
    fileprivate var hasVehicle: Bool { shown { $0.map.vehicle != nil } ?? false }

    /// Whether the panel of events can be scrolled to older ones.
    fileprivate var hasOlderEvents: Bool {
        shown { panels.trip.eventScroll < log.entries(of: $0.id).count - 1 } ?? false
    }
}

extension KeyBinding.Command {
    static let largeArrival: Self = "largeArrival"
}
