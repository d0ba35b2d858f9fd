import Failures
import FleetTokens
package import Runtime
import TripFeed
import TripModel
import TripText

/// Snapshots: what a session has shown until a moment, so that it can be shown again.
extension State {
    /// What a session has shown until a moment, without the view, the size and the other choices of the user.
    package struct Snapshot: Sendable {
        /// The trips.
        package fileprivate(set) var trips: SharedArray<FollowedTrip>
        fileprivate var places: [JourneyID: Int]
        fileprivate var entries: SharedArray<EventLog.Entry>
        fileprivate var sceneCaption: String?
        fileprivate var captionConditions: String
        fileprivate var activeFaults: [String]
        fileprivate var serverToken: TokenStatus?
        fileprivate var serverTokenEvent: EventStamp?
        fileprivate var projectCalls: CallLog
        fileprivate var bodies: BodyLedger
        fileprivate var callNumbers: CallNumbers
        fileprivate var reporter: Reporter
        fileprivate var journeys: JourneyTable
        fileprivate var now: Moment
        /// The latest time that was known.
        package fileprivate(set) var latest: Moment

        /// Returns a trip by its ID.
        func trip(_ id: JourneyID) -> FollowedTrip? { places[id].map { trips[$0] } }

        /// Returns the approximate number of bytes besides those that it shares with an earlier snapshot.
        func unsharedBytes(with before: Snapshot?) -> Int {
            var bytes = Self.fixedBytes + trips.count * MemoryLayout<[FollowedTrip]>.stride
            bytes += projectCalls.entries.unsharedBytes(with: before?.projectCalls.entries)
            bytes += entries.unsharedBytes(with: before?.entries) + bodies.bytesOfItems + journeys.count * 512
            if places.count != before?.places.count { bytes += places.count * 48 }
            for index in trips.unshared(with: before?.trips) {
                bytes += trips[index].unsharedBytes(with: before?.trip(trips[index].id))
            }
            return bytes
        }

        /// The approximate number of bytes of what is not counted.
        private static let fixedBytes = 16 << 10
    }

    /// What the session has shown until now.
    package var snapshot: Snapshot {
        Snapshot(
            trips: trips,
            places: followed.places,
            entries: log.entries,
            sceneCaption: ride.caption,
            captionConditions: ride.captionConditions,
            activeFaults: activeFaults,
            serverToken: project.token,
            serverTokenEvent: project.tokenEvent,
            projectCalls: project.calls,
            bodies: followed.bodies,
            callNumbers: followed.calls,
            reporter: log.reporter,
            journeys: log.journeys,
            now: now,
            latest: time.latest
        )
    }

    /// Sets the time before the first event of a replay.
    package mutating func rewind(to start: Moment) { (now, time.latest) = (start, start) }

    /// Shows another moment in the same view.
    package mutating func restore(_ snapshot: Snapshot) {
        let shown = trip?.id
        (trips, followed.places) = (snapshot.trips, snapshot.places)
        log.replace(with: snapshot.entries)
        (ride.caption, ride.captionConditions) = (snapshot.sceneCaption, snapshot.captionConditions)
        activeFaults = snapshot.activeFaults
        (project.token, project.tokenEvent) = (snapshot.serverToken, snapshot.serverTokenEvent)
        project.calls = snapshot.projectCalls
        followed.calls = snapshot.callNumbers
        (followed.bodies, log.reporter, log.journeys) = (snapshot.bodies, snapshot.reporter, snapshot.journeys)
        // The language may have changed since.
        log.reporter.localizer = settings.localizer
        (now, time.latest) = (snapshot.now, snapshot.latest)
        selected = shown.flatMap { followed.places[$0] } ?? min(selected, max(0, trips.count - 1))
        withdrawQuestion()
        for kind in ViewKind.all { change(kind) { $0.keepPlaces(in: $1) } }
        refreshView()
        refit()
        updateLongList()
        scrollToVehicle()
    }

    /// Fits the map again, regardless of what it showed before.
    package mutating func refit() {
        guard display.isReady else { return }
        prepareMap()
        updateFit(isNew: true)
    }

    /// Whether maps and lists are not prepared for drawing: `true` while only the events matter.
    package var isSilent: Bool {
        get { !display.isReady }
        set { display.isReady = !newValue }
    }
}

extension FollowedTrip {
    /// Returns the approximate number of bytes besides those that it shares with an earlier version of the trip.
    func unsharedBytes(with before: FollowedTrip?) -> Int {
        var bytes = MemoryLayout<FollowedTrip>.stride + Self.fixedBytes
        bytes += state.trail.unsharedBytes(with: before?.state.trail)
        bytes += state.pickupEstimates.unsharedBytes(with: before?.state.pickupEstimates)
        bytes += state.dropoffEstimates.unsharedBytes(with: before?.state.dropoffEstimates)
        bytes += receipt.unsharedBytes(with: before?.receipt)
        bytes += history.entries.unsharedBytes(with: before?.history.entries)
        bytes += calls.entries.unsharedBytes(with: before?.calls.entries)
        bytes += findings.unsharedBytes(with: before?.findings)
        bytes += findingEvents.unsharedBytes(with: before?.findingEvents)
        let known = Set((before?.storedAnswers ?? []).map(\.number))
        for answer in storedAnswers where !known.contains(answer.number) { bytes += answer.body.bytes.count }
        if state.journey?.route != before?.state.journey?.route
            || state.journey?.pathPoints != before?.state.journey?.pathPoints
        {
            bytes += (state.journey?.pathPoints ?? 0) * MemoryLayout<Coordinate>.stride * 2
        }
        bytes += map.lines.reduce(0) { $0 + $1.points.count } * MemoryLayout<MapPoint>.stride
        return bytes
    }

    /// The approximate number of bytes of headers, of texts and of the last answer without its paths.
    private static let fixedBytes = 4 << 10

    private var storedAnswers: [Answer] { answers + [failedAnswer].compactMap(\.self) }
}

extension Journey {
    /// The number of points of all its paths.
    fileprivate var pathPoints: Int {
        (route?.points.count ?? 0) + remainingWaypoints.reduce(0) { $0 + ($1.path?.count ?? 0) }
    }
}
