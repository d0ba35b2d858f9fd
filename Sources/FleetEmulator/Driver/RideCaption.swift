import TripModel
import Yams

/// What the plain ride says at a step; the texts are in `Assets/Scenarios/Ride/captions.yaml`.
enum RideCaption: String {
    case requested
    case assigned
    case toPickup
    case atPickup
    case toDropoff
    case complete

    private static let texts: [String: String] = {
        let path = "Scenarios/Ride/captions.yaml"
        guard let yaml = EmbeddedScenarios.text(path) else { fatalError("\(path) is not embedded") }
        do {
            return try YAMLDecoder().decode(from: yaml)
        } catch {
            // The file is a part of the program, and tests read it.
            fatalError("\(path): \(error)")
        }
    }()

    /// The caption, which is true while the trip has a status.
    func caption(_ status: TripStatus) -> SceneCaption {
        let text = Self.texts[rawValue] ?? rawValue
        var conditions = ExpectedConditions()
        conditions.statuses = [.trip(status)]
        return SceneCaption(
            text,
            expectation: TripExpectation(
                name: text,
                kind: .must(conditions, .throughout),
                within: SceneCaption.limit
            )
        )
    }
}
