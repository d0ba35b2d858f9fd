package import Failures
package import Foundation
package import Runtime
package import TripFeed
package import TripModel

/// Follows a log while it is written: what driver, server and rider of each trip saw; without side effects.
///
/// A call is attributed by its method: UpdateVehicle to the driver, CreateTrip and UpdateTrip to the server, GetTrip to the
/// rider, GetTaskTrackingInfo to the recipient. The state comes from the answers to the calls of others, because a rider may have
/// received an old one.
package struct LiveLog: Sendable {
    /// The maximum number of followed trips; the ended ones are forgotten first.
    package static let maximumTrips = 2000
    /// Of this many trips, one must have ended before the ended ones are forgotten: each search visits all trips.
    private static let endedShare = 16
    /// The maximum number of vehicles whose last report is stored.
    static let maximumVehicles = 8192
    /// The maximum number of trips that one vehicle serves.
    static let maximumServed = 100
    /// The number of entries after which decoded paths are forgotten.
    private static let pathWindow = 2000

    /// The trips to follow; empty for all.
    private let wanted: Set<JourneyID>
    private let limits: FindingLimits
    private var stream = LogStream()
    private var builder: TimelineBuilder?
    private var provider: ProviderID?
    /// What the log has shown of each journey.
    var tracks: [JourneyID: LogTrack] = [:]
    /// The time of the last entry.
    private var last: Moment?
    /// The last report of each vehicle.
    var drivers: [VehicleID: SideReport] = [:]
    private var hasTooManyTrips = false
    /// The fields that a log with an end has in no answer; their absence is no finding.
    private var absent: Set<TripField> = []
    /// What was collected, in order of time; nothing before the end of the collection.
    private var collected: [LogStream.Item] = []
    private var nextCollected = 0
    /// The number of entries of Fleet Engine.
    package private(set) var entries = 0
    /// The number of entries that came after a newer one of the same side, so that they changed nothing.
    package internal(set) var lateEntries = 0
    /// The lines that were skipped; `nil` if there are none.
    package private(set) var skipped: SkippedLines?

    /// Creates a follower of some trips, or of all if there are none.
    package init(trips: [JourneyID], provider: ProviderID? = nil, limits: FindingLimits = FindingLimits()) {
        wanted = Set(trips)
        self.provider = provider
        self.limits = limits
    }

    /// The followed trips that the log has.
    package var trips: [JourneyID] { tracks.keys.filter(isWanted) }

    /// The followed trips without a state, because all of their calls were refused, by their IDs.
    package var refusedTrips: [JourneyID] {
        tracks.filter { isWanted($0.key) && $0.value.state.journey == nil }.map(\.key)
            .sorted { $0.rawValue < $1.rawValue }
    }

    /// Returns the last values of each side of a trip.
    package func sides(of journey: JourneyID) -> TripSides? { tracks[journey]?.sides }

    /// Returns the last state of a trip or a shipment.
    package func state(of journey: JourneyID) -> TripState? { tracks[journey]?.state }

    /// Processes a chunk of the log; `nil` for its end.
    ///
    /// `now` gets the time of the newest entry in the chunk and returns the time of the process's clock.
    package mutating func handle(_ bytes: [UInt8]?, now: (Date) -> Moment) -> [Item] {
        guard let bytes else { return handle(stream.finish(), now: now) + confirmAll() }
        return handle(stream.consume(bytes), now: now)
    }

    private mutating func handle(_ read: [LogStream.Item], now: (Date) -> Moment) -> [Item] {
        let times = read.compactMap { item in if case .entry(let entry) = item { entry.time } else { nil } }
        guard let newest = times.max() else { return read.flatMap { handle($0, clock: nil) } }
        let clock = now(newest)
        return read.flatMap { handle($0, clock: clock) }
    }

    // MARK: A log with an end

    /// Collects a part of a log that has an end, such as a file, whose entries may be in any order; `nil` for its end.
    ///
    /// Returns `false` if no more can be collected; the rest is passed to ``handle(_:now:)`` then.
    package mutating func collect(_ bytes: [UInt8]?) -> Bool { stream.collect(bytes) }

    /// Processes the next collected entries in order of time, at most `count`; `nil` after the last one.
    ///
    /// No part can be collected after the first call.
    package mutating func handleCollected(_ count: Int, now: (Date) -> Moment) -> [Item]? {
        if nextCollected == 0 {
            collected = stream.ordered()
            absent = Self.absentFields(of: collected)
        }
        let items = collected[nextCollected...].prefix(count)
        nextCollected += items.count
        guard !items.isEmpty else {
            collected = []
            nextCollected = 0
            return nil
        }
        let isLast = nextCollected == collected.count
        return handle(Array(items), now: now) + (isLast ? confirmAll() : [])
    }

    /// Returns the fields that a log lacks although it has a trip that a vehicle serves.
    private static func absentFields(of items: [LogStream.Item]) -> Set<TripField> {
        let entries = items.compactMap { item in if case .entry(let entry) = item { entry } else { nil } }
        // A log without trips, or with too many states for a replay, lacks nothing that is known.
        guard let trips = try? RecordedTrips(entries) else { return [] }
        let isServed = trips.timelines.contains { timeline in
            timeline.snapshots.contains { $0.journey.vehicleID != nil && ($0.journey.status.rank ?? 0) > 0 }
        }
        return isServed ? trips.absentFields : []
    }

    /// Why a log that has ended shows nothing; `nil` if it has a trip.
    package var failure: RecordingError? {
        if entries == 0 { return .otherKind(.otherJSON) }
        return tracks.isEmpty ? .noTrips : nil
    }

    // MARK: Entries

    private mutating func handle(_ item: LogStream.Item, clock: Moment?) -> [Item] {
        switch item {
        case .foreign: return []
        case .invalid(let line):
            skipped = skipped?.adding(line) ?? SkippedLines(line)
            return [.invalid(line: line)]
        case .entry(let entry):
            guard let clock else { return [] }
            let steady = clock.steady + .seconds(max(-1e9, min(1e9, entry.time.timeIntervalSince(clock.wall))))
            return handle(entry, at: Moment(wall: entry.time, steady: max(.zero, steady)))
        }
    }

    /// Processes an entry; the entries come in order of time.
    mutating func handle(_ entry: LogEntry, at now: Moment) -> [Item] {
        entries += 1
        last = now
        guard let own = provider ?? entry.provider, entry.provider ?? own == own else { return [] }
        provider = own
        var builder = builder ?? TimelineBuilder(provider: own, storesHistory: false)
        self.builder = nil
        defer { self.builder = builder }
        if entries.isMultiple(of: Self.pathWindow) { builder.forgetPaths() }
        var items: [Item] = []
        if max(builder.count, tracks.count) >= Self.maximumTrips { removeEnded(&builder, &items) }
        switch entry.call {
        case .createTrip, .updateTrip: items += handleTrip(entry, &builder, at: now)
        case .getTrip, .delivery(.tracking):
            if let id = entry.readJourney { items += handleRead(entry, of: id, &builder, at: now) }
        case .vehicle where entry.method != "GetVehicle": items += handleVehicle(entry, &builder, at: now)
        case .delivery: items += handleDelivery(entry, &builder, at: now)
        case .vehicle, .other: break
        }
        return items
    }

    /// Examines the states that no other entry follows.
    private mutating func confirmAll() -> [Item] {
        guard let last else { return [] }
        return trips.sorted { $0.rawValue < $1.rawValue }.compactMap { id in
            let findings = tracks[id]?.confirm(at: last, isEnd: true) ?? []
            return findings.isEmpty ? nil : .found(id, findings, at: last)
        }
    }

    func track(of id: JourneyID, _ builder: TimelineBuilder) -> LogTrack? {
        provider.map { provider in
            LogTrack(
                id,
                trailLength: TripFeed.trailLength(for: max(1, wanted.isEmpty ? builder.count : wanted.count)),
                detector: FindingDetector(journey: id, provider: provider, absent: absent, limits: limits)
            )
        }
    }

    // MARK: Limits

    func isWanted(_ id: JourneyID) -> Bool { wanted.isEmpty || wanted.contains(id) }

    func hasRoom(for id: JourneyID, _ builder: TimelineBuilder) -> Bool {
        isWanted(id) || tracks[id] != nil
            || max(tracks.count, builder.count) - builder.endedCount < Self.maximumTrips
    }

    /// Forgets the ended trips, if there are so many that the search for them is worth it; reports once that there are too
    /// many active ones.
    private mutating func removeEnded(_ builder: inout TimelineBuilder, _ items: inout [Item]) {
        let isWorthIt = builder.endedCount >= max(builder.count, tracks.count) / Self.endedShare
        if builder.endedCount > 0, isWorthIt {
            builder.removeEnded()
            tracks = tracks.filter { builder.journey($0.key) != nil || wanted.contains($0.key) }
        }
        guard builder.count - builder.endedCount >= Self.maximumTrips, !hasTooManyTrips else { return }
        hasTooManyTrips = true
        items.append(.tooManyTrips)
    }
}

extension LiveLog {
    /// The effect of one entry on one trip.
    package struct Step: Sendable {
        /// When the service received the call.
        package var time: Date { moment.wall }
        /// When the service received the call, also by the steady clock: the time of the events.
        package var moment: Moment
        /// The side that called.
        package var side: TripSide
        /// The last values of each side after the call; of a shipment, there is only the time of the recipient's last call.
        package var sides: TripSides
        /// Whether the service refused the call.
        package var isRefused: Bool
        /// The differences that the call has caused.
        package var began: [SideDifference] = []
        /// The differences that it has removed.
        package var ended: [SideDifference.Kind] = []
        /// The state of the trip after the call, as a poll would return it; empty if the call was refused.
        package var events: [FeedEvent] = []
    }

    /// A part of the log.
    package enum Item: Sendable {
        /// An entry about a trip.
        case step(Step)
        /// What was found in the state of a trip that has held until an entry or the end of the log.
        case found(JourneyID, [Finding], at: Moment)
        /// A call of a rider or a recipient, with the answer of the service if it refused it; the step of the same entry follows.
        case riderCall(JourneyID, refused: ServiceAnswer?, at: Moment)
        /// A line that is no JSON object, by its number.
        case invalid(line: Int)
        /// A trip that is not followed, because there are ``LiveLog/maximumTrips`` active ones.
        case tooManyTrips
    }
}
