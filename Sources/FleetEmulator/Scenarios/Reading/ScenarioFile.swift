import TripFeed
import Yams

/// The YAML format of a scenario; `Scenarios.md` in the manual describes each key.
struct ScenarioFile: Decodable {
    /// A point or the name of one.
    enum PlaceEntry: Decodable {
        case point(latitude: Double, longitude: Double)
        case name(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            // An array is a point; everything else must be a name.
            if let numbers = try? container.decode([Double].self) {
                guard numbers.count == 2 else {
                    throw DecodingError.dataCorrupted(
                        .init(codingPath: decoder.codingPath, debugDescription: "[latitude, longitude] is expected")
                    )
                }
                self = .point(latitude: numbers[0], longitude: numbers[1])
            } else {
                self = .name(try container.decode(String.self))
            }
        }
    }

    struct VehicleEntry: Decodable {
        var id: String
        var at: PlaceEntry
        var capacity: Int?
        var category: String?
        var types: [String]?
        var backToBack: Bool?
        var steps: [StepEntry]

        enum CodingKeys: String, CodingKey, CaseIterable {
            case id
            case at
            case capacity
            case category
            case types
            case backToBack = "back-to-back"
            case steps
        }
    }

    struct TripEntry: Decodable {
        var id: String
        var pickup: PlaceEntry
        var stops: [PlaceEntry]?
        var dropoff: PlaceEntry?
        var passengers: Int?
        var type: String?
        var followed: Bool?
        var created: String?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case id
            case pickup
            case stops
            case dropoff
            case passengers
            case type
            case followed
            case created
        }
    }

    struct EventEntry: Decodable {
        var at: Double
        var cancel: String?
        var fault: Fault?
        var clearFaults: Bool?
        var caption: CaptionEntry?
        var expect: ConditionEntry?
        var whileEntry: WhileEntry?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case at
            case cancel
            case fault
            case clearFaults = "clear-faults"
            case caption
            case expect
            case whileEntry = "while"
        }
    }

    /// What must happen to a trip or to a shipment.
    struct ExpectationEntry: Decodable {
        var trip: String?
        var status: String?
        var tracking: String?
        var outcome: String?
        var within: Double

        enum CodingKeys: String, CodingKey, CaseIterable {
            case trip
            case status
            case tracking
            case outcome
            case within
        }
    }

    var title: String
    var about: String
    var begins: String?
    var starts: Double?
    var tokenLifetime: Double?
    var places: [String: [Double]]?
    var vehicles: [VehicleEntry]?
    var trips: [TripEntry]?
    var vans: [VanEntry]?
    var tasks: [TaskEntry]?
    /// The tracking IDs of the followed shipments.
    var followed: [String]?
    var events: [EventEntry]?
    var expect: [ExpectationEntry]?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case title
        case about
        case begins
        case starts
        case tokenLifetime = "token-lifetime"
        case places
        case vehicles
        case trips
        case vans
        case tasks
        case followed
        case events
        case expect
    }

    /// The allowed keys of each mapping, by its path.
    static let keys: [String: [String]] = [
        "": CodingKeys.allCases.map(\.stringValue),
        "vehicles.*": VehicleEntry.CodingKeys.allCases.map(\.stringValue),
        "trips.*": TripEntry.CodingKeys.allCases.map(\.stringValue),
        "vehicles.*.steps.*": StepEntry.CodingKeys.allCases.map(\.stringValue),
        "vehicles.*.steps.*.drive": DriveEntry.CodingKeys.allCases.map(\.stringValue),
        "vehicles.*.steps.*.drive.jam": JamEntry.CodingKeys.allCases.map(\.stringValue),
        "vehicles.*.steps.*.expect": ConditionEntry.CodingKeys.allCases.map(\.stringValue),
        "vehicles.*.steps.*.while": WhileEntry.CodingKeys.allCases.map(\.stringValue),
        "vehicles.*.steps.*.status": StatusEntry.CodingKeys.allCases.map(\.stringValue),
        "vans.*": VanEntry.CodingKeys.allCases.map(\.stringValue),
        "vans.*.steps.*": VanStepEntry.CodingKeys.allCases.map(\.stringValue),
        "vans.*.steps.*.visit": DriveEntry.CodingKeys.allCases.map(\.stringValue),
        "vans.*.steps.*.visit.jam": JamEntry.CodingKeys.allCases.map(\.stringValue),
        "vans.*.steps.*.round": RoundEntry.CodingKeys.allCases.map(\.stringValue),
        "vans.*.steps.*.while": WhileEntry.CodingKeys.allCases.map(\.stringValue),
        "tasks.*": TaskEntry.CodingKeys.allCases.map(\.stringValue),
        "tasks.*.view": ViewEntry.CodingKeys.allCases.map(\.stringValue),
        "events.*": EventEntry.CodingKeys.allCases.map(\.stringValue),
        "events.*.expect": ConditionEntry.CodingKeys.allCases.map(\.stringValue),
        "events.*.while": WhileEntry.CodingKeys.allCases.map(\.stringValue),
        "expect.*": ExpectationEntry.CodingKeys.allCases.map(\.stringValue),
    ]
}

/// Captions and what must be visible while they are shown.
extension ScenarioFile {
    /// A caption: a text, or its translations by language; the English translation is required.
    struct CaptionEntry: Decodable {
        var text: String
        var translations: [String: String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            // Anything but a text must be a mapping of translations.
            if let text = try? container.decode(String.self) {
                (self.text, translations) = (text, [:])
                return
            }
            translations = try container.decode([String: String].self)
            guard let english = translations["en"] else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "caption: a text or `en` is expected")
                )
            }
            text = english
        }
    }

    /// What must be so while a caption is shown; it ends the caption.
    struct WhileEntry: Decodable {
        var status: [String]?
        var failing: Bool?
        var fault: String?
        var seconds: Double?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case status
            case failing
            case fault
            case seconds
        }
    }
}
