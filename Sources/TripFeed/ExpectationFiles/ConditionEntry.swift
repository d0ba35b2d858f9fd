/// What must be visible: the conditions under `expect` in scenarios and in files of expectations.
package struct ConditionEntry: Decodable {
    var trip: String?
    /// One status, which the trip must have reached, or a list of statuses; the trip must have one of them now.
    var status: OneOrMore?
    var order: [String]?
    var check: OneOrMore?
    var overdue: Double?
    var delay: [Double]?
    var finding: String?
    var positionAge: Double?
    var othersAhead: Int?
    var failing: Bool?
    /// The seconds within which the conditions must hold; `nil` without a limit.
    package var within: Double?
    /// Whether the conditions must hold from then on.
    package var throughout: Bool?
    /// The seconds that are tolerated; `nil` for none.
    package var grace: Double?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case trip
        case status
        case order
        case check
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

/// One text, or a list of texts.
package enum OneOrMore: Decodable {
    case one(String)
    case more([String])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // Anything but a text must be a list.
        if let text = try? container.decode(String.self) {
            self = .one(text)
        } else {
            self = .more(try container.decode([String].self))
        }
    }
}
