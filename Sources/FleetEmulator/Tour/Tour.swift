import Yams

/// The guided tour of `demo --tour`, from `Assets/Tour/tour.yaml`, with its texts in English.
package struct Tour: Sendable, Decodable {
    /// A page of large words.
    package struct Page: Sendable, Decodable {
        /// One to three words.
        package var title: String
        /// A sentence.
        package var about: String
    }

    /// What happens at a time of a stage.
    package struct Step: Sendable, Decodable {
        /// Seconds of the ride's time since its start.
        package var at: Double
        /// The commands of keys, by their name in the configuration.
        package var commands: [String]?
    }

    /// One ride.
    package struct Stage: Sendable, Decodable {
        /// The name of the scenario; `ride` for the default ride.
        package var scenario: String
        /// Seconds of the ride's time per second.
        package var speed: Double
        /// The length in seconds of the ride's time.
        package var seconds: Double
        /// One to three words.
        package var title: String
        /// A sentence.
        package var about: String
        /// The steps in the order of their times.
        package var steps: [Step]

        /// The page shown before the ride.
        package var page: Page { Page(title: title, about: about) }
    }

    /// The rides in order.
    package var stages: [Stage]
    /// The page after the last one.
    package var last: Page

    /// The embedded tour.
    package static let embedded: Tour = {
        let path = "Tour/tour.yaml"
        guard let yaml = EmbeddedScenarios.text(path) else { fatalError("\(path) is not embedded") }
        do {
            return try YAMLDecoder().decode(from: yaml)
        } catch {
            // The file is a part of the program, and tests read it.
            fatalError("\(path): \(error)")
        }
    }()
}
