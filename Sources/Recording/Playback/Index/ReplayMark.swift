/// A moment of a recording to which a replay can jump.
package struct ReplayMark: Sendable, Equatable {
    /// What happened, in ascending order of importance where there is room for one only.
    package enum Kind: Int, Sendable, CaseIterable, Comparable {
        /// A finding that is at least a warning.
        case finding
        /// A trip has another status.
        case status
        /// The tester wrote a note, set a mark or switched a fault.
        case note
        /// The first of several failed polls of a trip, or of several failed searches of the project, a refused call, or a trip that cannot be followed.
        case error

        package static func < (one: Kind, other: Kind) -> Bool { one.rawValue < other.rawValue }
    }

    /// The time since the start of the recording.
    package var at: Duration
    /// What happened.
    package var kind: Kind
    /// The status, the code, the rule or the note; untrusted text of at most ``longest`` bytes.
    package var detail: String

    /// The maximum number of bytes of ``detail``.
    package static let longest = 120

    package init(_ kind: Kind, at: Duration, _ detail: String = "") {
        (self.kind, self.at) = (kind, at)
        self.detail = String(decoding: detail.utf8.prefix(Self.longest), as: UTF8.self)
    }
}

/// The marks of a recording while it is read: of repetitions, only the first is a mark.
struct ReplayMarks {
    /// The maximum number of marks; what happens later is not marked.
    static let maximumCount = 50_000

    private(set) var marks: [ReplayMark] = []
    private var statuses: [String: String] = [:]
    /// The codes with which the last polls of trips failed, and with `nil` as the trip, the last search of the project.
    private var failing: [String?: String] = [:]

    /// Records the status that an answer contains.
    mutating func status(_ status: String, of trip: String, at time: Duration) {
        failing[trip] = nil
        guard let last = statuses.updateValue(status, forKey: trip), last != status else { return }
        add(.status, at: time, status)
    }

    /// Records a page of a search.
    mutating func searched() { failing.removeValue(forKey: nil) }

    /// Records a failed poll of a trip, or without a trip a failed search.
    ///
    /// Its name is needed for the first one with its code only.
    mutating func failure(_ code: String, of trip: String?, at time: Duration, named name: () -> String) {
        guard failing.updateValue(code, forKey: trip) != code else { return }
        add(.error, at: time, name())
    }

    /// Adds a mark.
    mutating func add(_ kind: ReplayMark.Kind, at time: Duration, _ detail: String) {
        guard marks.count < Self.maximumCount else { return }
        marks.append(ReplayMark(kind, at: time, detail))
    }
}
