package import Runtime
import TripModel

/// The time of the screen.
package struct ScreenTime: Sendable {
    /// The displayed time.
    ///
    /// It is frozen while all polls are paused and after all trips have ended, so that an idle screen uses no CPU.
    package internal(set) var now: Moment
    /// The latest known time, also while ``now`` is frozen.
    var latest: Moment
    /// The time line of a replay; `nil` for a session that shows the present.
    package internal(set) var line: TimeLine?
    /// Whether the mouse drags the position on the time line.
    var isDragging = false

    /// Creates the time at the start of a session.
    init(_ now: Moment) { (self.now, latest) = (now, now) }
}

extension State {
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
}
