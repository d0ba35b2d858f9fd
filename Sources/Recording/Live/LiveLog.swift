package import Failures
import FleetWire
package import Foundation
package import Runtime
package import TripFeed
package import TripModel

/// Follows a log while it is written: what driver, server and rider of each trip saw; without side effects.
///
/// A call is attributed by its method: UpdateVehicle to the driver, CreateTrip and UpdateTrip to the server, GetTrip to the
/// rider. The trip's state comes from the answers to the first two, because a rider may have received an old one.
package struct LiveLog: Sendable {
    /// The effect of one entry on one trip.
    package struct Step: Sendable {
        /// When the service received the call.
        package var time: Date { moment.wall }
        /// When the service received the call, also by the steady clock: the time of the events.
        package var moment: Moment
        /// The side that called.
        package var side: TripSide
        /// The last values of each side after the call.
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
        /// A call of a rider, with the answer of the service if it refused it; the step of the same entry follows.
        case riderCall(JourneyID, refused: ServiceAnswer?, at: Moment)
        /// A line that is no JSON object, by its number.
        case invalid(line: Int)
        /// A trip that is not followed, because there are ``LiveLog/maximumTrips`` active ones.
        case tooManyTrips
    }

    /// The maximum number of followed trips; the ended ones are forgotten first.
    package static let maximumTrips = 2000
    /// Of this many trips, one must have ended before the ended ones are forgotten: each search visits all trips.
    private static let endedShare = 16
    private static let maximumVehicles = 8192
    /// The maximum number of trips that one vehicle serves.
    private static let maximumServed = 100
    /// The number of entries after which decoded paths are forgotten.
    private static let pathWindow = 2000

    /// The trips to follow; empty for all.
    private let wanted: Set<JourneyID>
    private let limits: FindingLimits
    private var stream = LogStream()
    private var builder: TimelineBuilder?
    private var provider: ProviderID?
    private var tracks: [JourneyID: LogTrack] = [:]
    /// The time of the last entry.
    private var last: Moment?
    private var drivers: [VehicleID: SideReport] = [:]
    private var hasTooManyTrips = false
    /// The fields that a log with an end has in no answer; their absence is no finding.
    private var absent: Set<TripField> = []
    /// What was collected, in order of time; nothing before the end of the collection.
    private var collected: [LogStream.Item] = []
    private var nextCollected = 0
    /// The number of entries of Fleet Engine.
    package private(set) var entries = 0
    /// The number of entries that came after a newer one of the same side, so that they changed nothing.
    package private(set) var lateEntries = 0
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
        var builder = builder ?? TimelineBuilder(provider: own, keepsHistory: false)
        self.builder = nil
        defer { self.builder = builder }
        if entries.isMultiple(of: Self.pathWindow) { builder.forgetPaths() }
        var items: [Item] = []
        if max(builder.count, tracks.count) >= Self.maximumTrips { removeEnded(&builder, &items) }
        switch entry.call {
        case .createTrip, .updateTrip: items += handleTrip(entry, side: .server, &builder, at: now)
        case .getTrip:
            if let id = entry.tripID.map(JourneyID.trip), isWanted(id) {
                items.append(.riderCall(id, refused: entry.error, at: now))
            }
            items += handleTrip(entry, side: .rider, &builder, at: now)
        case .vehicle where entry.method != "GetVehicle": items += handleVehicle(entry, &builder, at: now)
        case .delivery: items += handleDelivery(entry, &builder, at: now)
        case .vehicle, .other: break
        }
        return items
    }

    /// Processes a call of a server or a driver about deliveries; its shipments have no sides.
    private mutating func handleDelivery(
        _ entry: LogEntry,
        _ builder: inout TimelineBuilder,
        at now: Moment
    ) -> [Item] {
        // Without the history there is no limit that it could exceed.
        let changed = (try? builder.handleDelivery(entry)) ?? []
        let side: TripSide = entry.call == .delivery(.vehicle) ? .driver : .server
        return changed.flatMap { id in
            hasRoom(for: id, builder) ? step(id, side, at: now, builder, isAnswer: true) { _ in } : []
        }
    }

    private mutating func handleTrip(
        _ entry: LogEntry,
        side: TripSide,
        _ builder: inout TimelineBuilder,
        at now: Moment
    ) -> [Item] {
        guard let tripID = entry.tripID else { return [] }
        let id = JourneyID.trip(tripID)
        guard hasRoom(for: id, builder) else { return [] }
        let sides = tracks[id]?.sides
        if let error = entry.error {
            return step(id, side, at: now, builder) {
                $0.add(SideError(method: entry.method, time: entry.time, error: error), of: side)
            }
        }
        // The buffer of `gcloud beta logging tail` is short, so a late entry may follow a newer one.
        let isNewest = sides?.reports[side].map { $0.time <= entry.time } ?? true
        if !isNewest { lateEntries += 1 }
        guard let answer = entry.response, isNewest else { return [] }
        guard side == .server else {
            // A rider's answer is the state only while nothing else is known. Else it shows that the state still holds.
            let isOnlySource = sides?.reports[.server]?.statusTime == nil
            if isOnlySource { update(&builder, entry) }
            let isCurrent = isOnlySource || tracks[id]?.isCurrent(entry.time) == true
            return step(id, side, at: now, builder, isAnswer: isCurrent) {
                $0.add(SideReport(rider: entry, answer: answer), of: .rider)
            }
        }
        update(&builder, entry)
        guard let trip = builder.trip(tripID) else { return [] }
        let driver = trip.vehicleID.flatMap { drivers[$0] }
        return step(id, side, at: now, builder, isAnswer: true) { sides in
            sides.add(SideReport(server: trip, entry: entry, after: sides.reports[.server]), of: .server)
            if sides.reports[.driver] == nil, let driver, !trip.status.isTerminal {
                sides.add(driver, of: .driver, isCall: false)
            }
        }
    }

    private mutating func handleVehicle(
        _ entry: LogEntry,
        _ builder: inout TimelineBuilder,
        at now: Moment
    ) -> [Item] {
        guard let vehicle = entry.vehicleID else { return [] }
        if let error = entry.error {
            return builder.trips(of: vehicle).flatMap { id in
                step(.trip(id), .driver, at: now, builder) {
                    $0.add(SideError(method: entry.method, time: entry.time, error: error), of: .driver)
                }
            }
        }
        let last = drivers[vehicle]
        let isNewest = last.map { $0.time <= entry.time } ?? true
        if !isNewest { lateEntries += 1 }
        guard let answer = entry.response, isNewest else { return [] }
        for text in (answer["currenttrips"]?.elements ?? []).prefix(Self.maximumServed) {
            // An invalid ID is no trip.
            guard let id = text.string.flatMap({ try? TripID($0) }), hasRoom(for: .trip(id), builder) else { continue }
            // Without the history there is no limit that it could exceed.
            try? builder.add(id, of: vehicle, at: entry.time)
        }
        update(&builder, entry)
        if drivers.count >= Self.maximumVehicles, last == nil { drivers = [:] }
        let report = SideReport(driver: entry, vehicle: vehicle, after: last)
        drivers[vehicle] = report
        return builder.trips(of: vehicle).flatMap { id in
            guard let trip = builder.trip(id) else { return [Item]() }
            return step(.trip(id), .driver, at: now, builder, isAnswer: true) { sides in
                sides.add(report, of: .driver)
                let server = SideReport(server: trip, entry: entry, after: sides.reports[.server])
                sides.add(server, of: .server, isCall: false)
            }
        }
    }

    private func update(_ builder: inout TimelineBuilder, _ entry: LogEntry) {
        // Without the history there is no limit that it could exceed.
        try? builder.handle(entry)
    }

    /// Applies a change to the sides of a trip; returns it if the trip is followed.
    private mutating func step(
        _ id: JourneyID,
        _ side: TripSide,
        at now: Moment,
        _ builder: TimelineBuilder,
        isAnswer: Bool = false,
        _ change: (inout TripSides) -> Void
    ) -> [Item] {
        guard var track = tracks[id] ?? track(of: id, builder) else { return [] }
        let held = track.confirm(at: now)
        change(&track.sides)
        let before = Set(track.differences.map(\.kind))
        track.differences = track.sides.differences
        let after = Set(track.differences.map(\.kind))
        var step = Step(moment: now, side: side, sides: track.sides, isRefused: track.sides.errors[side] != nil)
        step.began = track.differences.filter { !before.contains($0.kind) }
        step.ended = SideDifference.Kind.allCases.filter { before.contains($0) && !after.contains($0) }
        if isAnswer, let journey = builder.journey(id) { step.events = track.record(journey, by: side, at: now) }
        tracks[id] = track
        guard isWanted(id) else { return [] }
        return (held.isEmpty ? [] : [.found(id, held, at: now)]) + [.step(step)]
    }

    /// Examines the states that no other entry follows.
    private mutating func confirmAll() -> [Item] {
        guard let last else { return [] }
        return trips.sorted { $0.rawValue < $1.rawValue }.compactMap { id in
            let findings = tracks[id]?.confirm(at: last, isEnd: true) ?? []
            return findings.isEmpty ? nil : .found(id, findings, at: last)
        }
    }

    private func track(of id: JourneyID, _ builder: TimelineBuilder) -> LogTrack? {
        provider.map { provider in
            LogTrack(
                id,
                trailLength: TripFeed.trailLength(for: max(1, wanted.isEmpty ? builder.count : wanted.count)),
                detector: FindingDetector(journey: id, provider: provider, absent: absent, limits: limits)
            )
        }
    }

    // MARK: Limits

    private func isWanted(_ id: JourneyID) -> Bool { wanted.isEmpty || wanted.contains(id) }

    private func hasRoom(for id: JourneyID, _ builder: TimelineBuilder) -> Bool {
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
