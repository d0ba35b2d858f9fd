package import Runtime
import TripModel

/// What most panels read, by its short name.
extension State {
    /// The followed trips in the order given; at least one.
    package internal(set) var trips: SharedArray<FollowedTrip> {
        get { followed.all }
        _modify { yield &followed.all }
    }

    /// The shown trip, an index of ``trips``.
    package internal(set) var selected: Int {
        get { followed.selected }
        set { followed.selected = newValue }
    }

    /// The current view.
    package internal(set) var view: ViewKind {
        get { display.view }
        set { display.view = newValue }
    }

    /// The displayed time.
    package internal(set) var now: Moment {
        get { time.now }
        set { time.now = newValue }
    }

    /// The time line of a replay; `nil` for a session that shows the present.
    package internal(set) var timeLine: TimeLine? {
        get { time.line }
        _modify { yield &time.line }
    }

    /// A sanitized message that is shown until the next key press.
    package internal(set) var message: String? {
        get { input.message }
        set { input.message = newValue }
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
