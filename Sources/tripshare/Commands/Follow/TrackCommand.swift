import ArgumentParser
import Foundation
import TransportLive
import TripModel
import TripText

/// `tripshare track`: follows shipments as their recipients see them.
typealias TrackCommand = FollowCommand<TrackedShipments>

/// The shipments of `tripshare track`.
struct TrackedShipments: FollowSubject {
    static let configuration = CommandConfiguration(
        commandName: "track",
        abstract: "Follow shipments of a Fleet Engine.",
        discussion: """
            Shows what the recipient of a shipment sees: its state and outcome, the time window, and, as soon as the sender's \
            rules show them, the stops before, the arrival and the vehicle. trips/ID follows a trip beside the shipments, as \
            taskTrackingInfo/ID does in watch.
            """
    )

    static let kind = JourneyKind.shipment

    @Argument(
        help: ArgumentHelp(
            "The tracking IDs of the shipments, bare or as providers/…/taskTrackingInfo/….",
            valueName: "tracking-id"
        )
    )
    var shipments: [String] = []

    var names: [JourneyName] { shipments.map { JourneyName($0, as: .shipment) } }

    func validate(_ command: TrackCommand) throws {
        if command.tripsFile == nil { try command.requireNames(.usageNoShipment) }
    }

    func run(_ command: TrackCommand) async throws {
        let settings = try command.profile.settings()
        let target = try await Target(command, settings: settings, mayBeEmpty: command.tripsFile != nil)
        let (shipments, file) = try command.trips(of: target)
        try await withLiveHTTPTransport(target.connections) { live in
            let transport = live.naming(faultsOf: target.marks)
            try await target.calls.run(to: target.endpoint, over: transport) { calls in
                try await SessionRunner.run(
                    command.configuration(target, shipments, file, settings, nil, transport, calls),
                    command.metrics
                )
            }
        }
    }
}
