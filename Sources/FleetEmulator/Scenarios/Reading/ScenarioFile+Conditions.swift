/// What must be visible: the conditions under `expect` in scenarios and in files of expectations.
extension ScenarioFile {
    struct ShownEntry: Decodable {
        var trip: String?
        var status: StatusCondition?
        var overdue: Double?
        var delay: [Double]?
        var finding: String?
        var positionAge: Double?
        var othersAhead: Int?
        var failing: Bool?
        var within: Double?
        var throughout: Bool?
        var grace: Double?

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
            case grace
        }
    }

    /// One status, which the trip must have reached, or a list of statuses, one of which it must have now.
    enum StatusCondition: Decodable {
        case reached(String)
        case oneOf([String])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            // Anything but a text must be a list.
            if let name = try? container.decode(String.self) {
                self = .reached(name)
            } else {
                self = .oneOf(try container.decode([String].self))
            }
        }
    }
}
