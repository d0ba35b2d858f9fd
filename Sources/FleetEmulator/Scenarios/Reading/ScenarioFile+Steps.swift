import TripFeed

/// The steps of a vehicle.
extension ScenarioFile {
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
        var retainsForecast: Bool?
        var planned: [PlaceEntry]?
        var leavesRouteAt: Double?
        var stopsAt: Double?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case to
            case via
            case pace
            case slow
            case redLight = "red-light"
            case jam
            case silent
            case tunnel
            case retainsForecast = "keeps-forecast"
            case planned
            case leavesRouteAt = "leaves-route-at"
            case stopsAt = "stops-at"
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
        var expect: ConditionEntry?
        var whileEntry: WhileEntry?

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
            case whileEntry = "while"
        }
    }
}
