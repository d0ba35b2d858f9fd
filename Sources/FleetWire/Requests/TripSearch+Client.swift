import FleetEngineProtos
import Runtime
import SwiftProtobuf
package import TripModel

extension TripSearch {
    /// The percent-encoded path of a search in a project, with a leading slash.
    package static func target(in provider: ProviderID) -> String {
        "/v1/providers/\(PercentEncoding.encode(provider.rawValue))/trips:search"
    }

    /// The body of the request; default values are omitted.
    package var body: [UInt8] {
        MessageBytes.encode { _ in
            var message = Maps_Fleetengine_V1_SearchTripsRequest()
            message.vehicleID = vehicleID?.rawValue ?? ""
            message.activeTripsOnly = activeOnly
            message.pageSize = Int32(clamping: page.size ?? 0)
            message.pageToken = page.token ?? ""
            if let minimumStaleness { message.minimumStaleness = Google_Protobuf_Duration(minimumStaleness) }
            return message
        }
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

    package init(trips: [Trip], nextPageToken: String? = nil) {
        (self.trips, self.nextPageToken) = (trips, nextPageToken)
    }

    /// Decodes an answer to SearchTrips; throws ``WireError``.
    ///
    /// The limits of ``ElementLimits`` hold for each trip.
    package init(body: [UInt8]) throws(WireError) {
        let answer = try MessageAnswer<Maps_Fleetengine_V1_SearchTripsResponse>(body)
        guard answer.message.trips.count <= Self.mostTrips else {
            throw .unexpected(path: "trips", reason: "more than \(Self.mostTrips) trips")
        }
        trips = []
        for (index, message) in answer.message.trips.enumerated() {
            var reader = answer.reader
            var trip = try reader.trip(message)
            trip.unknownFields = answer.unknownFields["trips[\(index)]"] ?? []
            trip.unreadable = answer.unreadable.within("trips[\(index)].")
            // The omitted elements of an answer are counted together.
            trip.omitted = []
            trips.append(trip)
        }
        // Google's texts differ: the last page has no token, or the page after it is empty.
        nextPageToken = trips.isEmpty ? nil : answer.message.nextPageToken.nonEmpty
    }
}
