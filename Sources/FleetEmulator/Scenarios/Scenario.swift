package import Foundation
package import TripModel

/// A situation that can be played: who drives where, what goes wrong, and what a run must meet.
package struct Scenario: Sendable {
    /// Something that happens at a time, in seconds from the beginning.
    package struct Event: Sendable {
        package enum Action: Sendable {
            /// The rider, or the person who ordered the ride, cancels the trip.
            case cancel(TripID)
            case fault(Fault)
            case clearFaults
            /// What is shown from now on.
            case caption(SceneCaption)
        }

        package var time: Double
        package var action: Action
    }

    /// A trip has reached a status by a time, in seconds from the beginning.
    package struct Expectation: Sendable, Equatable {
        package var trip: TripID
        package var status: TripStatus
        package var within: Double
    }

    /// The name under which it is played.
    package var name: String
    /// A few words.
    package var title: String
    /// What is to be seen, in a sentence or two.
    package var about: String
    /// The time of day at which it begins; `nil` for now.
    package var begins: Date?
    /// How long tokens live; `nil` for as long as they would anyway.
    package var tokenLifetime: Duration?
    /// One script for each vehicle.
    package var drivers: [DriverScript]
    /// The trips that a rider follows; the others are other riders'.
    package var followed: [TripID]
    /// In the order of their times.
    package var events: [Event]
    package var expectations: [Expectation]

    /// The paths that the service knows as roads, with the times that are foreseen on them.
    package var roads: Roads {
        Roads(
            known: drivers.flatMap(\.steps).compactMap { step in
                guard case .drive(let drive) = step else { return nil }
                return Roads.Known(drive.forecast)
            }
        )
    }
}

/// Why a scenario can't be played.
package struct ScenarioError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file, as it was named.
    package var file: String
    /// The line, from 1; `nil` where it is the whole.
    package var line: Int?
    /// What was expected.
    package var message: String

    /// `FILE:LINE: MESSAGE`.
    package var description: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(message)" }
}
