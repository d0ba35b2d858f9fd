import TripFeed

/// The delivery vehicles, their tasks and their steps.
extension ScenarioFile {
    struct TaskEntry: Decodable {
        var id: String
        var type: String?
        var tracking: String?
        var at: PlaceEntry
        var takes: Double?
        var window: [Double]?
        var view: ViewEntry?
        var outcome: String?
        var created: String?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case id
            case type
            case tracking
            case at
            case takes
            case window
            case view
            case outcome
            case created
        }
    }

    /// When the recipient sees which value.
    struct ViewEntry: Decodable {
        var location: VisibilityEntry?
        var route: VisibilityEntry?
        var stops: VisibilityEntry?
        var distance: VisibilityEntry?
        var arrival: VisibilityEntry?
        var completion: VisibilityEntry?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case location
            case route
            case stops
            case distance
            case arrival
            case completion
        }
    }

    /// A word, or a threshold by its name.
    enum VisibilityEntry: Decodable {
        case word(String)
        case threshold([String: Double])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            // Anything but a text must be a mapping.
            if let word = try? container.decode(String.self) {
                self = .word(word)
            } else {
                self = .threshold(try container.decode([String: Double].self))
            }
        }
    }

    struct VanEntry: Decodable {
        var id: String
        var at: PlaceEntry
        var type: String?
        var pace: Double?
        var steps: [VanStepEntry]

        enum CodingKeys: String, CodingKey, CaseIterable {
            case id
            case at
            case type
            case pace
            case steps
        }
    }

    struct VanStepEntry: Decodable {
        var wait: Double?
        var silent: Double?
        var create: OneOrMore?
        var assign: [OneOrMore]?
        var close: String?
        var visit: VisitEntry?
        var round: RoundEntry?
        var caption: CaptionEntry?
        var whileEntry: WhileEntry?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case wait
            case silent
            case create
            case assign
            case close
            case visit
            case round
            case caption
            case whileEntry = "while"
        }
    }

    /// A visit of a stop: the name of a task there, or a drive to it.
    struct VisitEntry: Decodable {
        var drive: DriveEntry

        init(from decoder: any Decoder) throws {
            // Anything but a name must be a mapping.
            if let name = try? decoder.singleValueContainer().decode(String.self) {
                drive = DriveEntry(to: name)
            } else {
                drive = try DriveEntry(from: decoder)
            }
        }
    }

    /// Visits of all remaining stops, or of those up to a task.
    struct RoundEntry: Decodable {
        var until: String?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case until
        }
    }
}

extension OneOrMore {
    /// The texts.
    var all: [String] {
        switch self {
        case .one(let text): [text]
        case .more(let texts): texts
        }
    }
}
