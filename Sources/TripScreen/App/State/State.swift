package import Canvas
import Foundation
package import Runtime
package import TripFeed
package import TripModel
package import TripText

/// The complete state of the screen; changed only by ``update(_:)``, drawn by ``view(_:)``.
package struct State: Sendable {
    /// The settings, which are constant while the program runs.
    package struct Settings: Sendable, Equatable {
        /// The host of the service for the header.
        package var host: String
        /// The time zone of clock times.
        package var zone: Zone = .utc
        /// The language, the units and the number formats.
        package var localizer: Localizer = .english
        /// The characters used for drawing.
        package var glyphs = GlyphSet()
        /// Virtual seconds per real second; 0 while the clock is paused.
        package var speed: Double = 1
        /// The names of the available themes, the current one first.
        package var themes: [String] = []
        /// Whether mouse reports are enabled.
        package var mouse = false
        /// Whether the presenter mode is enabled, for viewers at a distance.
        package var isPresenter = false
        /// The key bindings.
        package var keys: [KeyBinding] = KeyMap.bindings
        /// The project that owns the trips; empty if unknown.
        package var provider = ""
        /// The trips from the history, oldest first.
        package var pastTrips: [JourneyID] = []
        /// The streets drawn below the map.
        package var basemap: Basemap?
        /// Whether a folder of base maps is searched for a map that covers the trip.
        package var findsBasemap = false
        /// The height of a terminal cell divided by its width.
        package var cellAspect: Double = 2
        /// Whether arrivals, cancellations and losses ring the terminal's bell.
        package var rings = false
        /// The settings of the emulated ride; `nil` if its clock cannot be changed.
        package var ride: RideSettings?
        /// The faults that can be injected; empty if there are none.
        package var faults: [FaultChoice] = []
        /// The names of all faults, also of those that only a recording contains.
        package var faultNames: [FaultChoice] = []
        /// Whether active faults are not mentioned on the screen, because a presenter's console shows them.
        package var hidesFaults = false
        /// The title of the presenter view; empty for the usual one.
        package var heading = ""
        /// Whether the last minutes of the session can be saved.
        package var isRecorded = false
        /// Whether the trips come from a log that has the calls of drivers and riders.
        package var hasSides = false
        /// Whether the trips of the project can be searched.
        package var findsTrips = false
        /// The names of the formats in which the last minutes can be exported; empty if they cannot.
        package var exportFormats: [String] = []
        /// The thresholds of findings.
        package var limits = FindingLimits()

        /// The number of vertical map dots per horizontal dot for the same distance.
        var squeeze: Double { 2 / cellAspect }
    }

    /// The settings; only the character set can change.
    package internal(set) var settings: Settings
    /// The followed trips.
    package internal(set) var followed: FollowedTrips
    /// The time of the screen.
    package internal(set) var time: ScreenTime
    /// The terminal, and what it shows.
    package internal(set) var display: Display
    /// What receives the keys.
    package internal(set) var focus = Focus.view
    /// What the user has typed, and what answers it.
    package internal(set) var input = UserInput()
    /// The panels, each with what it stores.
    package internal(set) var panels = Panels()
    /// The search for the trips of the project.
    package internal(set) var project = ProjectSearch()
    /// The names of the active faults.
    package internal(set) var activeFaults: [String] = []
    /// What is said about notices that are not delivered yet; empty if there is nothing to say.
    package internal(set) var delivery = ""
    /// The results of the expectations; empty if there are no expectations.
    package internal(set) var expectations: [ExpectationResult] = []
    /// The event log.
    package internal(set) var log: EventLog
    /// The state of the emulated ride.
    var ride = RideControl()

    /// Creates the initial screen; a trip that is named twice appears once.
    package init(trips: [JourneyID], settings: Settings, now: Moment, width: Int, height: Int) {
        followed = FollowedTrips(trips)
        self.settings = settings
        time = ScreenTime(now)
        display = Display(
            width: width,
            height: height,
            theme: settings.themes.first ?? "",
            hasMouse: settings.mouse
        )
        log = EventLog(
            reporter: Reporter(
                host: settings.host,
                zone: settings.zone,
                localizer: settings.localizer,
                namesTrips: followed.all.count > 1
            )
        )
    }

    /// The shown trip; `nil` only if no trip is followed.
    package var trip: FollowedTrip? { trips.indices.contains(selected) ? trips[selected] : nil }

    /// Reads a value of the shown trip; `nil` if no trip is followed.
    ///
    /// A trip is large: each use of ``trip`` copies it, this does not.
    func shown<Value>(_ value: (borrowing FollowedTrip) -> Value?) -> Value? {
        trips.indices.contains(selected) ? value(trips[selected]) : nil
    }

    /// The text of the question that the next key answers; `nil` if there is none.
    var question: String? {
        switch asked {
        case .remove(let trip):
            settings.localizer(.leaveQuestion(trip: trip.rawValue.sanitized(limit: 24)))
        case .perform(let command): KeyMap.rows[command]?.question.map { settings.localizer($0) }
        case .quit: settings.localizer(.quitQuestion)
        case nil: nil
        }
    }

    /// Whether all trips have ended.
    package var hasEnded: Bool {
        // Start with the latest trip, which has most likely not ended. Use indices, because an iterator would copy each trip.
        trips.indices.reversed().allSatisfy { trips[$0].end != nil }
    }

    /// Whether the polls of all active trips are paused.
    package var isPaused: Bool {
        trips.indices.reversed().allSatisfy { trips[$0].end != nil || trips[$0].isPaused } && !hasEnded
    }

    /// Whether the displayed time is frozen.
    package var isFrozen: Bool { hasEnded || (isPaused && !trips.indices.contains { trips[$0].isPolling }) }

    /// Returns the time until the screen next changes by time alone; `nil` if it does not.
    ///
    /// Countdowns and ages change with the displayed second. At high speed they change in larger steps, at most four times per
    /// real second. In between, the vehicle moves on the map, and dots travel with the calls, if `glides`. A vehicle that moves
    /// shortly before the next second waits for it: one frame shows both.
    package func nextTick(after moment: Moment, glides: Bool = true) -> Duration? {
        guard !isFrozen else { return nil }
        let step = max(1, (settings.speed / 4).rounded(.up))
        let passed = moment.wall.timeIntervalSince1970.truncatingRemainder(dividingBy: step)
        guard passed.isFinite, step.isFinite else { return .seconds(1) }
        // Add 0.1 % so that the displayed second has changed when the loop wakes.
        let wait = Duration.seconds(step - (passed < 0 ? passed + step : passed) + 0.001 * step)
        guard glides else { return wait }
        let glide = nextGlide(after: moment, within: wait - .seconds(step / 4))
        let moves = [glide, nextTravel(after: moment, within: wait)]
        return moves.compactMap(\.self).min() ?? wait
    }
}

extension State {
    /// Begins with a page and a title of the presenter view.
    package mutating func begin(heading: String, page: TitlePage) {
        settings.heading = heading
        show(page: page)
    }
}
