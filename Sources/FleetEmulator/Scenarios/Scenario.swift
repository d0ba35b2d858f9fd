import EmbeddedAssets
package import Foundation
package import TripFeed
package import TripModel

/// A playable scenario: drivers, timed events and expectations.
package struct Scenario: Sendable {
    /// A timed event, in seconds from the start.
    package struct Event: Sendable {
        package enum Action: Sendable {
            /// The rider or the customer cancels the trip.
            case cancel(TripID)
            case fault(Fault)
            case clearFaults
            /// A new caption is shown.
            case caption(SceneCaption)
        }

        package var time: Double
        package var action: Action
    }

    /// The name that selects the scenario.
    package var name: String
    /// A short title.
    package var title: String
    /// A description in one or two sentences.
    package var about: String
    /// The time of day at the start; `nil` for now.
    package var begins: Date?
    /// The lifetime of tokens; `nil` for the default.
    package var tokenLifetime: Duration?
    /// One script for each vehicle.
    package var drivers: [DriverScript]
    /// The trips that the rider follows; the others belong to other riders.
    package var followed: [TripID]
    /// The shipments that recipients follow, by their tracking IDs.
    package var shipments: [TrackingID] = []
    /// The events in order of time.
    package var events: [Event]
    /// What must happen to the trips and shipments, in seconds from the start.
    package var expectations: [TripExpectation]
    /// The second from which a demo shows it; what happens before is then there already.
    package var starts = 0.0
    /// The seconds that have passed when it is played; nobody waits for what happens in them.
    package private(set) var passed = 0.0

    /// The scenario from its ``starts`` on.
    package var fromItsStart: Scenario {
        guard starts > passed else { return self }
        var scenario = self
        let skipped = starts - passed
        scenario.passed = starts
        scenario.begins = begins.map { $0 + skipped }
        for index in drivers.indices { scenario.drivers[index].passed = starts }
        for index in expectations.indices {
            scenario.expectations[index].within = expectations[index].within.map { max(0, $0 - skipped) }
        }
        return scenario
    }

    /// The trips and shipments that are followed.
    package var journeys: [JourneyID] { followed.map(JourneyID.trip) + shipments.map(JourneyID.shipment) }

    /// The paths that the service uses as roads, with their predicted times.
    package var roads: Roads {
        Roads(
            known: drivers.flatMap(\.steps).compactMap { step in
                switch step {
                case .drive(let drive): Roads.Known(drive.forecast)
                case .visit(let visit): Roads.Known(visit.drive.forecast)
                default: nil
                }
            },
            town: .demo
        )
    }
}

extension Scenario {
    /// The names of the scenarios of trips that come with the program, in the order of the alphabet.
    package static var names: [String] { EmbeddedScenarios.names }

    /// The names of the scenarios of deliveries that come with the program, in the order of the alphabet.
    package static var deliveryNames: [String] { EmbeddedScenarios.deliveryNames }

    /// Returns a built-in scenario; `nil` for an unknown name.
    ///
    /// Throws ``YAMLFileError`` if the embedded file is invalid, which is an internal error.
    package static func named(_ name: String) throws(YAMLFileError) -> Scenario? {
        guard let yaml = yaml(of: name) else { return nil }
        return try Scenario(yaml: yaml, name: name, file: "\(name).yaml")
    }

    /// The YAML of a scenario that comes with the program.
    package static func yaml(of name: String) -> String? { EmbeddedScenarios.yaml(of: name) }

    /// What each built-in scenario and the default ride show, in one or two sentences, by its name.
    package static func summaries() throws -> [String: String] {
        let all = try [plainRide(seed: 1)] + (names + deliveryNames).compactMap { try named($0) }
        return Dictionary(all.map { ($0.name, $0.about.split(separator: "\n").joined(separator: " ")) }) { $1 }
    }

    /// Creates the default ride; the seed varies it slightly.
    package static func plainRide(seed: UInt64) throws(ResourceIDError) -> Scenario {
        let number = String(seed % 0x10000, radix: 16)
        let trip = try TripID("trip-\(number)")
        let plan = RidePlan.standard(seed: seed)
        var arrival = ExpectedConditions()
        (arrival.journey, arrival.reached) = (.trip(trip), .trip(.complete))
        return Scenario(
            name: "ride",
            title: "A plain ride",
            about: "A taxi picks up a rider and drives across the town: about three minutes.",
            drivers: [DriverScript(plan, trip: trip, vehicle: try VehicleID("vehicle-\(number)"))],
            followed: [trip],
            events: [],
            expectations: [TripExpectation(arrival, within: plan.duration + 30)]
        )
    }
}

/// The files of `Assets/Scenarios`, which are part of the program.
enum EmbeddedScenarios {
    /// The names of the scenarios of trips: the files in the folder itself without their extension, in alphabetical order.
    static let names = names(in: folder)
    /// The names of the scenarios of deliveries.
    static let deliveryNames = names(in: deliveryFolder)

    private static func names(in folder: String) -> [String] {
        (0..<embedded_asset_count()).compactMap { index in
            guard let asset = unsafe embedded_asset_at(index) else { return nil }
            let path = unsafe String(cString: asset.pointee.path)
            guard path.hasPrefix(folder) else { return nil }
            let name = path.dropFirst(folder.count).dropLast(suffix.count)
            return name.contains("/") ? nil : String(name)
        }
    }

    /// The text of a scenario; `nil` for an unknown name.
    static func yaml(of name: String) -> String? {
        if names.contains(name) { return text(folder + name + suffix) }
        return deliveryNames.contains(name) ? text(deliveryFolder + name + suffix) : nil
    }

    /// The text of a file in `Assets`; `nil` for a file that is not embedded.
    static func text(_ path: String) -> String? {
        guard let asset = unsafe embedded_asset_named(path) else { return nil }
        let bytes = unsafe UnsafeBufferPointer(start: asset.pointee.bytes, count: asset.pointee.count)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    private static let folder = "Scenarios/"
    private static let deliveryFolder = "Scenarios/Deliveries/"
    private static let suffix = ".yaml"
}
