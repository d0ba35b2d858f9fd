package import Failures
package import FleetWire
package import TripModel

/// The policy for a token that the service refuses with 401, over gRPC UNAUTHENTICATED: one new token and one repetition.
///
/// Every call that is made alone is repeated here. A feed repeats by its own schedule with the same policy, because a repetition
/// counts in its quota and both calls are polls.
extension FleetClient {
    /// Requests a trip or a shipment; repeats the request once with a new token if the service refuses the first one.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - renewed: Called with the refusal if the service accepted the new token.
    /// - Returns: The report of the last request for which there was a token.
    package func getRenewing(
        _ request: JourneyRequest,
        renewed: (Failure) -> Void = { _ in }
    ) async -> PollReport {
        await repeating(renewed) { await get(request) }
    }

    /// Requests a page of trips; repeats the request once with a new token if the service refuses the first one.
    ///
    /// - Parameters:
    ///   - search: The filters and the page.
    ///   - provider: The project.
    ///   - searched: Called with each request.
    ///   - renewed: Called with the refusal if the service accepted the new token.
    /// - Returns: The report of the last request for which there was a token.
    func searchTripsRenewing(
        _ search: TripSearch,
        in provider: ProviderID,
        searched: (SearchEvent) -> Void = { _ in },
        renewed: (Failure) -> Void = { _ in }
    ) async -> SearchReport {
        var refusal: Failure?
        return await repeating(renewed) {
            let report = await searchTrips(search, in: provider)
            var event = SearchEvent(report)
            if refusal != nil { event.call?.cause = .rejected }
            // Without another token, the refusal of the last one is what happened.
            if refusal == nil || report.failure?.isOnlyMissingToken != true { searched(event) }
            refusal = report.failure
            return report
        }
    }

    private func repeating<Report: CallReport>(
        _ renewed: (Failure) -> Void,
        _ send: () async -> Report
    ) async -> Report {
        let first = await send()
        // What a cache repeats says nothing about the token, which is therefore still the same.
        guard let refusal = first.failure, refusal.asksForNewToken, first.cache == nil else { return first }
        let second = await send()
        guard let failure = second.failure else {
            renewed(refusal)
            return second
        }
        // Without another token, the refusal of the last one is what happened.
        if failure.isOnlyMissingToken { return first }
        if !failure.asksForNewToken { renewed(refusal) }
        return second
    }
}

extension Failure {
    /// Whether the service refused the token in a way that another token may change: with 401.
    package var asksForNewToken: Bool { !isMissingToken && retry == .withNewToken }
}

/// What the reports of calls have in common.
private protocol CallReport {
    var failure: Failure? { get }
    var cache: CacheEvidence? { get }
}

extension PollReport: CallReport {}

extension SearchReport: CallReport {}

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
