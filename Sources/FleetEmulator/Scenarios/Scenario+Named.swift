package import TripFeed
package import TripModel

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
