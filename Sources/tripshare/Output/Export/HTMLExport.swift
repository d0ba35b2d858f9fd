import FleetTokens
import Foundation
import Recording
import Runtime
import TripFeed
import TripModel
import TripScreen
import TripText

/// A page of a session for people without a terminal, in the language of the session; of a log, in the language of the process.
enum HTMLExport {
    /// The time between two polls of a log in seconds.
    private static let interval = 5.0

    /// Returns the file of a session.
    static func file(of session: RecordedSession) throws(ExportFailure) -> [UInt8] {
        guard let state = state(after: session), state.trips.contains(where: { $0.state.journey != nil }) else {
            throw .noTrips
        }
        return RidePage(state).bytes
    }

    /// Returns what a screen would know at the end of a session; `nil` for a damaged recording.
    static func state(after session: RecordedSession) -> State? {
        session.loggedTrips.map { log($0, of: session) } ?? recording(session)
    }

    /// Returns what a screen would know at the end of a recording; `nil` for a damaged one.
    private static func recording(_ session: RecordedSession) -> State? {
        guard var reader = session.reader,
            var state = ScreenReplay(showing: reader.header, provider: session.provider)?.state
        else { return nil }
        var player = RecordingPlayer(provider: session.provider, trailLength: TripState.longestTrail)
        while let event = reader.next() {
            guard let item = player.item(of: event) else { continue }
            _ = state.update(.tick(event.moment))
            if let received = item.received {
                _ = state.update(Message(received))
            } else if case .remark(let remark) = item {
                _ = state.update(.remark(remark))
            }
        }
        return state
    }

    /// Returns what a rider's screen would know at the end of a log.
    private static func log(_ trips: RecordedTrips, of session: RecordedSession) -> State {
        let localizer = Localizer.ofProcess
        var state = State(
            trips: trips.timelines.map(\.id),
            settings: State.Settings(host: "", localizer: localizer, provider: session.provider.rawValue),
            now: Moment(wall: trips.start, steady: .zero),
            width: 80,
            height: 24
        )
        var playback = LogPlayback(trips, every: .seconds(interval))
        while let step = playback.next() {
            let wall = trips.start.addingTimeInterval(step.at.seconds)
            _ = state.update(.tick(Moment(wall: wall, steady: step.at)))
            for event in step.events { _ = state.update(.feed(event)) }
        }
        return state
    }
}
