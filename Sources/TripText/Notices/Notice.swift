package import Failures
package import FleetTokens
package import Runtime
package import TripFeed
package import TripModel

/// Something about a trip that a person may want to be notified of.
package struct Notice: Sendable {
    /// The kinds; the raw values are the names on the command line and in JSON.
    package enum Kind: String, Sendable, CaseIterable {
        /// The status changed.
        case status
        /// The vehicle arrives at the next own stop within a number of minutes.
        case arrival
        /// The arrival at the next own stop is later than first promised by a number of minutes.
        case late
        /// The position of the vehicle is no longer known.
        case stale
        /// The vehicle reports again after it was silent; after an outage of the polls, ``recovered`` says that there are answers.
        case fresh
        /// Polls begin to fail.
        case failure
        /// A poll succeeded again.
        case recovered
        /// A rule reported a finding.
        case finding
        /// The vehicle, the pickup, the drop-off, the stops or the number of passengers changed.
        case plan
        /// The trip is no longer followed.
        case end

        /// Whether it needs a number of minutes.
        package var takesMinutes: Bool { self == .arrival || self == .late }
    }

    /// What happened.
    package enum Content: Sendable {
        /// A status, and the previous status.
        case status(JourneyStatus, after: JourneyStatus)
        /// An arrival at a stop, and the minutes that were asked for.
        case arrival(Arrivals.Arrival, minutes: Double)
        case late(Arrivals.Arrival, minutes: Double)
        /// The age of the position.
        case stale(PositionAge)
        case fresh
        case failure(Failure)
        case recovered
        case finding(Finding)
        /// The changed parts in the order of ``TripField``.
        case plan([TripField])
        case end(FeedEnd)
    }

    /// When it was noticed, by the local clock.
    package var time: Moment
    /// The journey.
    package var journey: JourneyID
    /// What is known about the trip then.
    package var state: TripState?
    /// The status of the token that explains a failure; `nil` if none does.
    package var token: TokenStatus?
    /// What happened.
    package var content: Content

    /// The kind.
    package var kind: Kind {
        switch content {
        case .status: .status
        case .arrival: .arrival
        case .late: .late
        case .stale: .stale
        case .fresh: .fresh
        case .failure: .failure
        case .recovered: .recovered
        case .finding: .finding
        case .plan: .plan
        case .end: .end
        }
    }
}

/// What a person wants to be notified of: a kind of notice, for some kinds with a number of minutes.
package struct NoticeTrigger: Sendable, Hashable {
    /// Why a text names no trigger.
    package enum Problem: Error, Sendable, Equatable {
        /// There is no such kind.
        case unknown(String)
        /// The kind needs a number of minutes from 0 to 10,000, such as `arrival:5`.
        case needsMinutes(Notice.Kind)
        /// The kind takes no number.
        case takesNone(Notice.Kind)
    }

    /// The kind.
    package let kind: Notice.Kind
    /// The number of minutes; 0 if the kind takes none.
    package let minutes: Double

    /// Reads `status`, `late:3` or `arrival:5`.
    package init(parsing text: String) throws(Problem) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let kind = Notice.Kind(rawValue: parts[0].lowercased()) else { throw .unknown(parts[0]) }
        self.kind = kind
        guard kind.takesMinutes else {
            guard parts.count == 1 else { throw .takesNone(kind) }
            minutes = 0
            return
        }
        guard parts.count == 2, let minutes = Double(decimal: parts[1]), (0...10_000).contains(minutes) else {
            throw .needsMinutes(kind)
        }
        self.minutes = minutes
    }

    /// The trigger as it is written on the command line.
    package var name: String {
        guard kind.takesMinutes else { return kind.rawValue }
        return "\(kind.rawValue):\(minutes == minutes.rounded() ? String(Int(minutes)) : String(minutes))"
    }

    /// Returns whether a notice was asked for.
    package func matches(_ notice: Notice) -> Bool {
        switch notice.content {
        case .arrival(_, let minutes), .late(_, let minutes): notice.kind == kind && minutes == self.minutes
        default: notice.kind == kind
        }
    }
}
