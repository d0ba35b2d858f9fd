package import Recording
import Runtime
import TripModel
import TripText

/// What the time line at the bottom of a replay shows.
package struct TimeLine: Sendable {
    /// What the screen shows.
    package enum Scene: Sendable, Equatable {
        /// A recording or a log.
        case recording
        /// A past moment of the running session.
        case past
        /// The present of the session, compared with a past moment; the text says what differs.
        case present
    }

    /// What the screen shows.
    package var scene: Scene
    /// The time since the beginning.
    package var position: Duration
    /// The duration from the beginning to the end.
    package var length: Duration
    /// Recorded seconds per real second, unless paused.
    package var speed: Double
    /// Whether the position stays.
    package var isPaused: Bool
    /// Whether it begins again at the end.
    package var isLooping: Bool
    /// The marks on the bar.
    package var marks: TimeLineMarks
    /// The share of the events that were read; `nil` after all were.
    package var progress: Double?
    /// How long ago the shown moment was; `nil` in a recording.
    package var age: Duration?
    /// What differs between the past moment and now, in a few words; empty in a recording.
    package var differences: String

    package init(_ scene: Scene, clock: ReplayClock, at real: Duration, marks: TimeLineMarks) {
        self.scene = scene
        position = clock.position(at: real)
        length = clock.length
        speed = clock.speed
        isPaused = clock.isPaused || clock.hasEnded(at: real)
        isLooping = clock.isLooping
        self.marks = marks
        (progress, age, differences) = (nil, nil, "")
    }

    /// Whether it belongs to a running session.
    var isTravel: Bool { scene != .recording }
    /// Whether it is at the end.
    var hasEnded: Bool { position >= length }
}

/// The times of the marks by their kind, so that a bar of any width finds the most important one of each cell.
package struct TimeLineMarks: Sendable {
    private var times: [ReplayMark.Kind: [Double]] = [:]

    /// Creates marks, which are in order of time.
    package init(_ marks: [ReplayMark] = []) {
        for mark in marks { times[mark.kind, default: []].append(mark.at.seconds) }
    }

    /// Returns the most important mark within a range of seconds.
    func kind(in range: Range<Double>) -> ReplayMark.Kind? {
        ReplayMark.Kind.allCases.reversed().first { kind in
            guard let times = times[kind] else { return false }
            var (low, high) = (0, times.count)
            while low < high {
                let middle = (low + high) / 2
                if times[middle] < range.lowerBound { low = middle + 1 } else { high = middle }
            }
            return low < times.count && times[low] < range.upperBound
        }
    }
}

extension ReplayMark.Kind {
    /// Its name.
    var title: Text {
        switch self {
        case .finding: .markFinding
        case .status: .markStatus
        case .note: .markNote
        case .error: .markError
        }
    }
}
