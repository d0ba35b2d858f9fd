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

    /// The caption with what must be visible meanwhile.
    func caption(_ expectation: SceneCaption.Expectation) -> SceneCaption {
        SceneCaption(Self.texts[rawValue] ?? rawValue, expectation)
    }
}
