import FleetEmulator
import Foundation
import Runtime
import TripFeed
import TripModel
import TripScreen
import TripText

/// Decides when to write where a vehicle is: with a new position, at most every quarter of a minute, and at each new status.
struct SpokenPositions {
    /// The minimum time between two positions of a trip.
    private static let interval = Duration.seconds(15)

    private struct Last {
        var time: Moment
        var status: JourneyStatus?
        var text: String
    }

    private let localizer: Localizer
    private var map: Basemap?
    private var last: [JourneyID: Last] = [:]

    /// Creates the words with the names of the streets of a base map; without one, with the names of the demo town.
    init(_ localizer: Localizer, map: Basemap?) {
        self.localizer = localizer
        // The tests read the embedded file. Without a map, streets have no names.
        self.map = map ?? (try? Basemap(geoJSON: Data(Town.demoGeoJSON)))
    }

    /// Whether the interval is over; the entries of a log that is read at once have the same steady time.
    private static func isOld(_ time: Moment, at now: Moment) -> Bool {
        now.steady - time.steady >= interval || now.wall.timeIntervalSince(time.wall) >= interval.seconds
    }

    /// Returns the words for the position of a poll; `nil` if there is nothing new.
    mutating func words(for event: FeedEvent, at now: Moment) -> String? {
        guard case .polled(let report, let state, _) = event else {
            if case .ended(let trip, _) = event { last[trip] = nil }
            return nil
        }
        guard report.failure == nil, let trip = state.journey, !trip.status.isTerminal else { return nil }
        let before = last[state.id]
        guard before.map({ Self.isOld($0.time, at: now) || $0.status != trip.status }) ?? true else { return nil }
        guard let text = localizer.position(of: state, street: street(of: state), at: now), text != before?.text else {
            return nil
        }
        last[state.id] = Last(time: now, status: trip.status, text: text)
        return text
    }

    /// Returns the name of the street at the position of a state; `nil` without one.
    mutating func street(of state: TripState?) -> String? {
        // A damaged tile has no names; the screen reports it.
        state?.journey?.lastLocation?.coordinate.flatMap { try? map?.street(at: $0) }
    }

    /// Records that the position of a state was told as the answer to a question.
    mutating func told(_ state: TripState, _ words: String, at now: Moment) {
        last[state.id] = Last(time: now, status: state.journey?.status, text: words)
    }
}
