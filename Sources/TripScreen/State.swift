package import Canvas
import Foundation
import TripFeed
package import TripModel
package import TripText

/// Everything the screen shows; changed by ``update(_:)`` alone, drawn by ``view(_:)``.
package struct State: Sendable {
    /// What stays as it is while the program runs.
    package struct Settings: Sendable, Equatable {
        /// The host of the service, as the header shows it.
        package var host: String
        /// Where clock times are shown for.
        package var zone: Zone
        /// The language, the units and the forms of numbers.
        package var wording: Wording
        /// The characters to draw with.
        package var glyphs: GlyphSet
        /// How many seconds pass in a real one; 0 while the clock stands.
        package var speed: Double
        /// The names of the themes that can be chosen; the first one is shown.
        package var themes: [String]
        /// Whether the mouse is ours.
        package var mouse: Bool
        /// Whether the screen is for people who look from afar.
        package var isPresenter: Bool
        /// What keys do.
        package var keys: [KeyBinding]
        /// The project that owns the trips; empty where nobody said which.
        package var provider: String
        /// Trips that were followed before this program began, oldest first.
        package var pastTrips: [TripID]
        /// The streets below the map.
        package var basemap: Basemap?
        /// How high a cell of the terminal is for its width.
        package var cellAspect: Double
        /// Whether arrivals, cancellations and losses ring the terminal's bell.
        package var rings: Bool
        /// What can be done with the ride; `nil` where its clock can't be changed.
        package var ride: RideSettings?

        /// Settings of these parts.
        package init(
            host: String,
            zone: Zone = .utc,
            wording: Wording = .english,
            glyphs: GlyphSet = GlyphSet(),
            speed: Double = 1,
            themes: [String] = [],
            mouse: Bool = false,
            isPresenter: Bool = false,
            keys: [KeyBinding] = KeyMap.bindings,
            provider: String = "",
            pastTrips: [TripID] = [],
            basemap: Basemap? = nil,
            cellAspect: Double = 2,
            rings: Bool = false,
            ride: RideSettings? = nil
        ) {
            self.host = host
            self.zone = zone
            self.wording = wording
            self.glyphs = glyphs
            self.speed = speed
            self.themes = themes
            self.mouse = mouse
            self.isPresenter = isPresenter
            self.keys = keys
            self.provider = provider
            self.pastTrips = pastTrips
            self.basemap = basemap
            self.cellAspect = cellAspect
            self.rings = rings
            self.ride = ride
        }

        /// How many dots of a map go down for one across.
        var squeeze: Double { 2 / cellAspect }
    }

    /// What lies over the screen.
    package enum Overlay: Sendable, Equatable {
        /// The keys and the signs of the map.
        case help
    }

    /// What stays as it is, unless a person wants other characters.
    package internal(set) var settings: Settings
    /// The followed trips, in the order in which they were named; at least one.
    package internal(set) var trips: [FollowedTrip]
    /// The one that is shown, an index of ``trips``.
    package internal(set) var selected = 0
    /// What is shown.
    package internal(set) var view = ViewKind.trip
    /// What is seen of the map.
    package internal(set) var map = MapControl()
    /// Whether arrival and timeline take the place of the panels.
    package internal(set) var hasLargeArrival = false
    /// The table of trips: order and filter.
    package internal(set) var list = TripList()
    /// The last answer of the shown trip, kept up to date while ``view`` is ``ViewKind/inspector``.
    package internal(set) var inspector = Inspector()
    /// What is being typed along the bottom; `nil` for nothing.
    package internal(set) var prompt: Prompt?
    /// The commands that were typed, newest last.
    package internal(set) var history: [String] = []
    /// What there is to say once, until the next key; harmless already.
    package internal(set) var message: String?
    /// The trip that will be left if the next key is `y`; `nil` where nobody is asked.
    package internal(set) var leaving: TripID?
    /// What the last key that pauses or resumes ordered, until the polls have obeyed: the key pressed again undoes it.
    var orderedPause: Bool?
    /// What a scenario says to those who watch; empty for nothing.
    package internal(set) var caption = ""
    /// The theme that is shown; empty where nobody said which.
    package internal(set) var theme: String
    /// Whether the mouse is ours.
    package internal(set) var hasMouse: Bool
    /// Where the mouse holds the map.
    var dragged: Canvas.Place?
    /// How far the views with one long text are scrolled down, in rows.
    package internal(set) var scroll: [ViewKind: Int] = [:]
    /// What lies over the screen; `nil` for nothing.
    package internal(set) var overlay: Overlay?
    /// The row of the help that stands at its top.
    package internal(set) var helpRow = 0
    /// What happened so far.
    package internal(set) var log = EventLog()
    /// The time that the screen shows.
    ///
    /// It stands still while all polls are paused and after all trips have ended, so that such a screen costs nothing.
    package internal(set) var now: Moment
    /// The size of the terminal, in cells.
    package internal(set) var width: Int
    package internal(set) var height: Int

    /// The table of a long list of trips as it was last ordered; `nil` while the list is short.
    var longList: LongList?
    /// Where each trip is in ``trips``.
    var places: [TripID: Int]

    /// The bodies that are kept of all trips.
    var bodies = BodyLedger()
    /// The most trips that have ended and are still shown; those that were named at first are, all of them.
    let mostEnded: Int
    /// Tells what is new about trips and tokens.
    var reporter: Reporter
    /// What the presenter's keys do with the clock of the ride.
    var ride = RideControl()
    /// Decides when the bell rings.
    var alerts = Alerts()
    /// The last time that was heard of, also while ``now`` stands still.
    var latest: Moment

    /// A screen before the first news.
    package init(trips: [TripID], settings: Settings, now: Moment, width: Int, height: Int) {
        self.trips = trips.map(FollowedTrip.init)
        places = Dictionary(trips.enumerated().map { ($1, $0) }) { first, _ in first }
        mostEnded = max(1000, trips.count)
        self.settings = settings
        self.now = now
        self.latest = now
        self.width = width
        self.height = height
        theme = settings.themes.first ?? ""
        hasMouse = settings.mouse
        reporter = Reporter(
            host: settings.host,
            zone: settings.zone,
            say: settings.wording,
            namesTrips: trips.count > 1
        )
    }

    /// The trip that is shown; `nil` only where no trip is followed.
    package var trip: FollowedTrip? { trips.indices.contains(selected) ? trips[selected] : nil }

    /// What the next key answers; `nil` for nothing.
    var question: String? {
        leaving.map { settings.wording(.leaveQuestion, Reporter.harmless($0.rawValue, limit: 24)) }
    }

    /// Whether every trip is followed no more.
    package var hasEnded: Bool { trips.allSatisfy { $0.end != nil } }

    /// Whether the polls of every trip that is still followed are paused.
    package var isPaused: Bool {
        // Of thousands of trips the first one that is asked for answers it.
        trips.allSatisfy { $0.end != nil || $0.isPaused } && !hasEnded
    }

    /// Whether the time on the screen stands still.
    package var isFrozen: Bool { hasEnded || (isPaused && !trips.contains(where: \.isPolling)) }

    /// How long until something on the screen changes by time alone; `nil` where nothing does.
    ///
    /// Countdowns and ages change with the second of the clock in the header. Where time runs fast they change in larger
    /// steps, four times in a real second at most.
    package func nextTick(after moment: Moment) -> Duration? {
        guard !isFrozen else { return nil }
        let step = max(1, (settings.speed / 4).rounded(.up))
        let passed = moment.wall.timeIntervalSince1970.truncatingRemainder(dividingBy: step)
        guard passed.isFinite, step.isFinite else { return .seconds(1) }
        // A thousandth more, so that the second has surely changed when the loop wakes.
        return .seconds(step - (passed < 0 ? passed + step : passed) + 0.001 * step)
    }
}
