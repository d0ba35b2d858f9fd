import TripModel

/// What the screen shows, apart from the content of its panels.
package struct Display: Sendable {
    /// The width of the terminal in cells.
    package internal(set) var width: Int
    /// The height of the terminal in cells.
    package internal(set) var height: Int
    /// The current view.
    package internal(set) var view = ViewKind.trip
    /// Whether every view shows who talks to whom.
    package internal(set) var showsTalk = false
    /// The current theme; empty if unknown.
    package internal(set) var theme: String
    /// Whether mouse reports are enabled.
    package internal(set) var hasMouse: Bool
    /// The rows that a screen beside this one needs: both get the larger numbers, so that their panels are beside each other.
    var leastRows = PanelRows()
    /// The requested tiles of the base map.
    var requestedTiles: Set<TileID> = []
    /// The tiles that the screen has reported as not drawn completely.
    var incompleteTiles: Set<TileID> = []
    /// The trip for which the folder of base maps was searched last.
    var basemapTrip: JourneyID?
    /// The number of messages that may have changed anything in the view of one trip.
    var changes = 0
    /// The number of further messages that may have changed its texts that depend on time.
    var textChanges = 0
    /// Whether maps and lists are always ready to be drawn.
    var isReady = true
}

extension State {
    /// The current view.
    package internal(set) var view: ViewKind {
        get { display.view }
        set { display.view = newValue }
    }

    /// The width of the terminal in cells.
    package internal(set) var width: Int {
        get { display.width }
        set { display.width = newValue }
    }

    /// The height of the terminal in cells.
    package internal(set) var height: Int {
        get { display.height }
        set { display.height = newValue }
    }
}
