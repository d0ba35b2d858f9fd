package import FleetTokens
package import FleetWire
package import Foundation
package import HTTPTransport
package import TripModel

/// Calls a Fleet Engine with tokens from the provider, one call at a time.
package struct FleetClient: Sendable {
    /// The timeout of one call in real time: the default deadline of Google's clients.
    package static let deadline = Duration.seconds(15)

    private let endpoint: ServiceEndpoint
    private let tokens: TokenProvider
    private let transport: HTTPTransport
    private let clock: any TripClock
    private let certificates: IssuerCertificates?

    /// Creates a client of one service.
    ///
    /// - Parameters:
    ///   - endpoint: The service.
    ///   - tokens: The token provider.
    ///   - transport: Sends the requests.
    ///   - clock: The clock of the process.
    ///   - certificates: Verifies the signature of a refused token; `nil` skips the check.
    package init(
        endpoint: ServiceEndpoint,
        tokens: TokenProvider,
        transport: HTTPTransport,
        clock: any TripClock,
        certificates: IssuerCertificates? = nil
    ) {
        self.endpoint = endpoint
        self.tokens = tokens
        self.transport = transport
        self.clock = clock
        self.certificates = certificates
    }

    /// Stops refreshing the trip's token, because the trip is no longer followed.
    package func stopRefreshing(_ trip: TripID) { tokens.stopRefreshing(.trip(trip)) }

    /// Requests a trip once; the report holds the answer or the failure.
    ///
    /// A 401 or 403 is reported to the token provider, so that the next call uses another token.
    package func getTrip(_ request: GetTripRequest) async -> PollReport {
        var report = PollReport(trip: request.trip, started: clock.now())
        let url = endpoint.baseURL + request.target
        report.url = url
        let context = AuthorizationContext.trip(request.trip)
        let token: BearerToken
        do {
            token = try await tokens.token(for: context)
        } catch {
            report.finished = clock.now()
            report.outcome = .failure(.token(error))
            return report
        }
        let sent = clock.realTime
        let response: HTTPTransportResponse
        do {
            response = try await transport.send(
                HTTPTransportRequest(
                    url: url,
                    headers: [
                        ("authorization", token.authorizationHeaderValue), ("accept", "application/json"),
                    ],
                    timeout: Self.deadline
                )
            )
        } catch {
            report.finished = clock.now()
            report.latency = clock.realTime - sent
            report.outcome = .failure(.transport(error))
            return report
        }
        report.finished = clock.now()
        report.latency = clock.realTime - sent
        report.bytes = response.body.count
        report.body = KeptBody(response.body)
        report.httpStatus = response.status
        report.headers = PollReport.relevant(response.headers)
        report.serverDate = response.header("date").flatMap(HTTPDate.date)
        report.outcome = Self.outcome(of: response, for: request, now: report.serverDate ?? report.finished.wall)
        if case .success(let trip) = report.outcome { report.leftOut = GuardedPart.leftOut(of: trip, for: request) }
        // A web page from a proxy says nothing about the token.
        if case .failure(.service(let error, let wait)) = report.outcome, [401, 403].contains(response.status) {
            tokens.reject(token, for: context, status: response.status)
            let now = report.serverDate ?? report.finished.wall
            if let rule = await brokenRule(of: token, for: request, refusedWith: error, now: now) {
                report.outcome = .failure(.refusedToken(error, because: rule, retryAfter: wait))
            }
        }
        return report
    }

    /// Returns the broken rule that explains why the service refused a token; `nil` if no rule is broken.
    private func brokenRule(
        of token: BearerToken,
        for request: GetTripRequest,
        refusedWith error: ServiceError,
        now: Date
    ) async -> TokenFinding? {
        let expectations = TokenInspection.Expectations(
            context: .trip(request.trip),
            providerID: request.provider.rawValue
        )
        var inspection = TokenInspection.inspect(token.authorizationHeaderValue, expectations, now: now)
        if let certificates { inspection = await inspection.checkingSignature(certificates) }
        return inspection.explanation(ofRefusalWith: error.httpStatus)
    }

    /// Returns the status of a trip's token, without counting as a use of it.
    package func tokenStatus(of trip: TripID) -> TokenStatus { tokens.status(of: .trip(trip)) }

    /// Interprets an answer.
    package static func outcome(
        of response: HTTPTransportResponse,
        for request: GetTripRequest,
        now: Date
    ) -> Result<Trip, PollFailure> {
        if let title = webPageTitle(response) {
            return .failure(.webPage(httpStatus: response.status, title: title.isEmpty ? nil : title))
        }
        switch response.status {
        case 200..<300:
            do {
                let trip = try TripCoding.decode(response.body)
                guard trip.id == request.trip else { return .failure(.anotherTrip(trip.id)) }
                return .success(trip)
            } catch {
                return .failure(.unreadable(error))
            }
        case 300..<400:
            return .failure(.redirected(httpStatus: response.status))
        default:
            let error = ServiceError(httpStatus: response.status, body: response.body)
            let header = response.header("retry-after").flatMap { HTTPDate.retryAfter($0, now: now) }
            let delay = [header, error.retryDelay].compactMap(\.self).max()
            return .failure(.service(error, retryAfter: delay))
        }
    }

    /// Returns the title of a web page, empty if it has none; `nil` if the body is not a web page.
    private static func webPageTitle(_ response: HTTPTransportResponse) -> String? {
        let start = String(decoding: response.body.prefix(4096), as: UTF8.self)
        let opening = start.drop { $0.isWhitespace }.prefix(15).lowercased()
        let isPage =
            response.header("content-type")?.lowercased().hasPrefix("text/html") == true
            || opening.hasPrefix("<!doctype html") || opening.hasPrefix("<html")
        guard isPage else { return nil }
        guard let open = start.range(of: "<title>", options: .caseInsensitive),
            let close = start.range(of: "</title>", options: .caseInsensitive),
            open.upperBound <= close.lowerBound
        else { return "" }
        return String(start[open.upperBound..<close.lowerBound]).bounded(to: 120)
    }
}
