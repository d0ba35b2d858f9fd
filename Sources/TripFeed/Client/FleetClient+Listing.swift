package import Failures
package import FleetWire
package import TripModel

/// The trips of a project that a search has found.
package struct TripListing: Sendable, Equatable {
    /// The trips in the order of the service, each once.
    package var trips: [Trip]
    /// Whether there are more trips on further pages.
    package var hasMore: Bool

    /// The maximum number of pages that are read.
    package static let mostPages = 1000
}

extension FleetClient {
    /// Lists trips, page by page.
    ///
    /// - Parameters:
    ///   - search: The filters and the page size.
    ///   - provider: The project.
    ///   - pages: The maximum number of pages.
    ///   - searched: Called with each request, also with a failed request.
    ///   - renewed: Called with each refusal of a token after which the service accepted a new one.
    /// - Returns: The trips of these pages.
    /// - Throws: The failure of the first page that could not be read.
    package func listTrips(
        _ search: TripSearch,
        in provider: ProviderID,
        pages: Int,
        searched: (SearchEvent) -> Void = { _ in },
        renewed: (Failure) -> Void = { _ in }
    ) async throws(Failure) -> TripListing {
        var search = search
        var listing = TripListing(trips: [], hasMore: false)
        var seen: Set<TripID> = []
        for _ in 0..<pages {
            let page = try await searchTripsRenewing(search, in: provider, searched: searched, renewed: renewed)
                .outcome.get()
            listing.trips += page.trips.filter { seen.insert($0.id).inserted }
            let token = page.nextPageToken
            listing.hasMore = token != nil
            // A service that repeats a token would never end its list.
            guard let token, token != search.page.token else { break }
            search.page.token = token
        }
        return listing
    }
}
