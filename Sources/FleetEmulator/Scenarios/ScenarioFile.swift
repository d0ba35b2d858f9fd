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

    struct AssignEntry: Decodable {
        var trip: String
        var order: [String]?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case trip
            case order
        }

        init(from decoder: any Decoder) throws {
            // Without an order, the entry is just the trip's name.
            if let name = try? decoder.singleValueContainer().decode(String.self) {
                trip = name
                return
            }
            try decoder.refuseOtherKeys(than: CodingKeys.self)
            let container = try decoder.container(keyedBy: CodingKeys.self)
            trip = try container.decode(String.self, forKey: .trip)
            order = try container.decodeIfPresent([String].self, forKey: .order)
        }
    }

    struct DriveEntry: Decodable {
        var to: String
        var via: [PlaceEntry]?
        var pace: Double?
        var slow: [Double]?
        var redLight: Double?
        var jam: JamEntry?
        var silent: [Double]?
        var tunnel: [Double]?
        var keepsForecast: Bool?
        var planned: [PlaceEntry]?
        var leavesRouteAt: Double?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case to
            case via
            case pace
            case slow
            case redLight = "red-light"
            case jam
            case silent
            case tunnel
            case keepsForecast = "keeps-forecast"
            case planned
            case leavesRouteAt = "leaves-route-at"
        }
    }

    struct JamEntry: Decodable {
        var at: Double
        var seconds: Double

        enum CodingKeys: String, CodingKey, CaseIterable {
            case at
            case seconds
        }
    }

    struct StatusEntry: Decodable {
        var trip: String
        var to: String

        enum CodingKeys: String, CodingKey, CaseIterable {
            case trip
            case to
        }
    }

    struct StepEntry: Decodable {
        var wait: Double?
        var silent: Double?
        var create: String?
        var assign: AssignEntry?
        var drive: DriveEntry?
        var status: StatusEntry?
        var cancel: String?
        var go: String?
        var caption: CaptionEntry?
        var expect: ShownEntry?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case wait
            case silent
            case create
            case assign
            case drive
            case status
            case cancel
            case go
            case caption
            case expect
        }
    }

    struct EventEntry: Decodable {
        var at: Double
        var cancel: String?
        var fault: FaultEntry?
        var clearFaults: Bool?
        var caption: CaptionEntry?
        var expect: ShownEntry?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case at
            case cancel
            case fault
            case clearFaults = "clear-faults"
            case caption
            case expect
        }
    }

    /// A caption: a text, or its translations by language, of which the English one is needed.
    struct CaptionEntry: Decodable {
        var text: String
        var translations: [String: String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
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

    /// What has to be seen while a caption is shown.
    struct ShownEntry: Decodable {
        var trip: String?
        var status: [String]?
        var overdue: Double?
        var delay: [Double]?
        var finding: String?
        var positionAge: Double?
        var othersAhead: Int?
        var failing: Bool?
        var within: Double?
        var throughout: Bool?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case trip
            case status
            case overdue
            case delay
            case finding
            case positionAge = "position-age"
            case othersAhead = "others-ahead"
            case failing
            case within
            case throughout
        }
    }

    struct ExpectationEntry: Decodable {
        var trip: String
        var status: String
        var within: Double

        enum CodingKeys: String, CodingKey, CaseIterable {
            case trip
            case status
            case within
        }
    }

    var title: String
    var about: String
    var begins: String?
    var tokenLifetime: Double?
    var places: [String: [Double]]?
    var vehicles: [VehicleEntry]
    var trips: [TripEntry]
    var events: [EventEntry]?
    var expect: [ExpectationEntry]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case title
        case about
        case begins
        case tokenLifetime = "token-lifetime"
        case places
        case vehicles
        case trips
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
        "vehicles.*.steps.*.expect": ShownEntry.CodingKeys.allCases.map(\.stringValue),
        "vehicles.*.steps.*.status": StatusEntry.CodingKeys.allCases.map(\.stringValue),
        "events.*": EventEntry.CodingKeys.allCases.map(\.stringValue),
        "events.*.expect": ShownEntry.CodingKeys.allCases.map(\.stringValue),
        "expect.*": ExpectationEntry.CodingKeys.allCases.map(\.stringValue),
    ]
}
