package import TripModel

extension Scenario {
    /// The names of the built-in scenarios in alphabetical order.
    package static var names: [String] { EmbeddedScenarios.all.map(\.name) }

    /// Returns a built-in scenario; `nil` for an unknown name.
    ///
    /// Throws ``ScenarioError`` if the embedded file is invalid, which is an internal error.
    package static func named(_ name: String) throws(ScenarioError) -> Scenario? {
        guard let entry = EmbeddedScenarios.all.first(where: { $0.name == name }) else { return nil }
        return try Scenario(yaml: entry.yaml, name: name, file: "\(name).yaml")
    }

    /// Returns the YAML of a built-in scenario.
    package static func yaml(of name: String) -> String? {
        EmbeddedScenarios.all.first { $0.name == name }?.yaml
    }

    /// Creates the default ride; the seed varies it slightly.
    package static func plainRide(seed: UInt64) throws(ResourceIDError) -> Scenario {
        let number = String(seed % 0x10000, radix: 16)
        let trip = try TripID("trip-\(number)")
        let plan = RidePlan.standard(seed: seed)
        return Scenario(
            name: "ride",
            title: "A plain ride",
            about: "A taxi comes, picks up a rider and brings him across the town: about three minutes.",
            drivers: [DriverScript(plan, trip: trip, vehicle: try VehicleID("vehicle-\(number)"))],
            followed: [trip],
            events: [],
            expectations: [.init(trip: trip, status: .complete, within: plan.duration + 30)]
        )
    }
}
