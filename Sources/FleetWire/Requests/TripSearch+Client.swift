package import TripModel

extension TripSearch {
    /// The percent-encoded path of a search in a project, with a leading slash.
    package static func target(in provider: ProviderID) -> String {
        "/v1/providers/\(PercentEncoding.encode(provider.rawValue))/trips:search"
    }

    /// The body of the request; default values are omitted.
    package var body: [UInt8] {
        struct Message: Encodable {
            var vehicleId: String?
            var activeTripsOnly: Bool?
            var pageSize: Int?
            var pageToken: String?
            var minimumStaleness: String?
        }
        return JSONBytes.encode(
            Message(
                vehicleId: vehicleID?.rawValue,
                activeTripsOnly: activeOnly ? true : nil,
                pageSize: page.size,
                pageToken: page.token,
                minimumStaleness: minimumStaleness.map(DurationText.text)
            )
        )
    }
}

/// A page of found trips.
package struct TripPage: Sendable, Equatable {
    /// The maximum number of trips in an answer; more are an error.
    static let mostTrips = 5000

    /// The trips.
    package var trips: [Trip]
    /// The token of the next page; `nil` on the last page.
    package var nextPageToken: String?

    /// Creates a page.
    package init(trips: [Trip], nextPageToken: String? = nil) {
        (self.trips, self.nextPageToken) = (trips, nextPageToken)
    }

    /// Decodes an answer to SearchTrips; throws ``WireError``.
    ///
    /// The limits of ``ElementLimits`` hold for each trip.
    package init(body: [UInt8]) throws(WireError) {
        let message = try JSONBytes.decode(TripPageMessage.self, from: body)
        trips = []
        for answer in message.trips {
            var trip = try answer.message.trip()
            trip.unknownFields = answer.unknownFields
            trips.append(trip)
        }
        // Google's texts differ: the last page has no token, or the page after it is empty.
        let token = message.nextPageToken.flatMap { $0.isEmpty ? nil : $0 }
        nextPageToken = trips.isEmpty ? nil : token
    }
}

/// The message `SearchTripsResponse`.
private struct TripPageMessage: Decodable {
    var trips: [TripAnswerMessage] = []
    var nextPageToken: String?

    private enum Key: String, CodingKey {
        case trips, nextPageToken
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        nextPageToken = try fields.decodeIfPresent(String.self, forKey: .nextPageToken)
        guard fields.contains(.trips), try !fields.decodeNil(forKey: .trips) else { return }
        var list = try fields.nestedUnkeyedContainer(forKey: .trips)
        guard (list.count ?? 0) <= TripPage.mostTrips else {
            throw DecodingError.dataCorruptedError(
                in: list,
                debugDescription: "more than \(TripPage.mostTrips) trips"
            )
        }
        let budget = decoder.elementBudget
        while !list.isAtEnd {
            budget.renew()
            trips.append(try list.decode(TripAnswerMessage.self))
        }
    }
}
