package import FleetTokens
package import FleetWire
package import Foundation
package import HTTPTransport
package import TripModel

/// Calls a Fleet Engine with tokens from the provider, one call at a time.
package final class FleetClient: Sendable {
    /// The timeout of one call in real time: the default deadline of Google's clients.
    package static let deadline = Duration.seconds(15)

    private let endpoint: ServiceEndpoint
    private let tokens: TokenProvider
    private let transport: FleetTransport
    private let clock: any TripClock
    private let certificates: IssuerCertificates?

    /// Creates a client of one service.
    ///
    /// - Parameters:
    ///   - endpoint: The service.
    ///   - tokens: The token provider.
    ///   - transport: Sends the calls by the protocol of the endpoint.
    ///   - clock: The clock of the process.
    ///   - certificates: Verifies the signature of a refused token; `nil` skips the check.
    package init(
        endpoint: ServiceEndpoint,
        tokens: TokenProvider,
        transport: FleetTransport,
        clock: any TripClock,
        certificates: IssuerCertificates? = nil
    ) {
        self.endpoint = endpoint
        self.tokens = tokens
        self.transport = transport
        self.clock = clock
        self.certificates = certificates
    }

    /// Creates a client that sends REST requests.
    package convenience init(
        endpoint: ServiceEndpoint,
        tokens: TokenProvider,
        transport: HTTPTransport,
        clock: any TripClock,
        certificates: IssuerCertificates? = nil
    ) {
        self.init(
            endpoint: endpoint,
            tokens: tokens,
            transport: .rest(transport, at: endpoint),
            clock: clock,
            certificates: certificates
        )
    }

    /// Stops refreshing the trip's token, because the trip is no longer followed.
    package func stopRefreshing(_ trip: TripID) { tokens.stopRefreshing(.trip(trip)) }

    /// Requests a trip once; the report holds the answer or the failure.
    ///
    /// A 401 or 403 is reported to the token provider, so that the next call uses another token.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: The subject of the token; `nil` for a token of the trip.
    /// - Returns: The report.
    package func getTrip(_ request: GetTripRequest, as context: AuthorizationContext? = nil) async -> PollReport {
        let started = clock.now()
        let context = context ?? .trip(request.trip)
        let exchange = await exchange(.getTrip(request), as: context)
        var report = Self.report(of: exchange, on: request, started: started)
        guard exchange.answer != nil, let failure = report.failure else { return report }
        report.outcome = .failure(await explained(failure, of: exchange, as: context, in: request.provider))
        return report
    }

    /// Returns the report of a request.
    ///
    /// It is not inlined: an asynchronous function keeps the memory of all its values while it waits.
    @inline(never)
    private static func report(of exchange: Exchange, on request: GetTripRequest, started: Moment) -> PollReport {
        var report = PollReport(trip: request.trip, started: started)
        (report.url, report.remoteCall) = (exchange.url, exchange.remoteCall)
        report.finished = exchange.finished
        report.latency = exchange.latency
        guard let answer = exchange.answer else {
            if let failure = exchange.failure { report.outcome = .failure(failure) }
            return report
        }
        let response = answer.response
        report.bytes = answer.remote.map { $0.messageBytes ?? 0 } ?? exchange.receivedBytes
        report.body = KeptBody(response.body, ofSize: exchange.receivedBytes)
        report.httpStatus = response.status
        report.grpcStatus = answer.remote?.status
        report.headers = PollReport.relevant(response.headers)
        (report.serverDate, report.cacheAge) = (exchange.serverDate, exchange.cacheAge)
        report.outcome = outcome(of: answer, for: request, now: exchange.serverNow)
        if case .success(let trip) = report.outcome { report.leftOut = GuardedPart.leftOut(of: trip, for: request) }
        return report
    }

    /// Requests a page of trips with a server token; the report holds the page or the failure.
    package func searchTrips(_ search: TripSearch, in provider: ProviderID) async -> SearchReport {
        let exchange = await exchange(.searchTrips(search, in: provider), as: .server)
        var outcome: Result<TripPage, PollFailure>
        do throws(PollFailure) {
            guard let answer = exchange.answer else { throw exchange.failure ?? .transport(.cancelled) }
            let body = try Self.body(of: answer, now: exchange.serverNow)
            do throws(WireError) {
                outcome = .success(try TripPage(body: body))
            } catch {
                throw .unreadable(error)
            }
        } catch {
            outcome = .failure(await explained(error, of: exchange, as: .server, in: provider))
        }
        return SearchReport(exchange, outcome: outcome)
    }

    /// Sends a call with a token.
    private func exchange(_ call: FleetCall, as context: AuthorizationContext) async -> Exchange {
        var exchange = Exchange(call, at: endpoint, started: clock.now())
        do {
            exchange.token = try await tokens.token(for: context)
        } catch {
            exchange.finished = clock.now()
            exchange.failure = .token(error)
            return exchange
        }
        let sent = clock.realTime
        do {
            let answer = try await transport.send(call, exchange.token?.authorizationHeaderValue ?? "")
            exchange.receivedBytes = answer.response.body.count
            exchange.answer = answer
            if case .getTrip(let request) = call { exchange.answer = answer.redacted(about: request.trip) }
        } catch {
            exchange.failure = .transport(error)
        }
        exchange.finished = clock.now()
        exchange.latency = clock.realTime - sent
        if let agrees = exchange.serviceAgrees { tokens.compareClocks(serviceAgrees: agrees) }
        return exchange
    }

    /// Returns a failure with the broken rule that explains a refusal, and reports the refused token to the provider.
    @inline(never)
    private func explained(
        _ failure: PollFailure,
        of exchange: Exchange,
        as context: AuthorizationContext,
        in provider: ProviderID
    ) async -> PollFailure {
        // A web page from a proxy says nothing about the token.
        // Neither does a gateway's 403; its 401 may mean that the token has expired.
        guard case .service(let error, let wait) = failure, [401, 403].contains(error.httpStatus),
            error.httpStatus == 401 || !error.isForeign, let token = exchange.token
        else { return failure }
        tokens.reject(token, for: context, status: error.answerStatus)
        // Then the token does not matter.
        guard error.projectProblem == nil else { return failure }
        let expectations = TokenInspection.Expectations(context: context, providerID: provider.rawValue)
        var inspection = TokenInspection.inspect(
            token.authorizationHeaderValue,
            expectations,
            now: exchange.serverNow
        )
        if let certificates { inspection = await inspection.checkingSignature(certificates) }
        guard let rule = inspection.explanation(ofRefusalWith: error.httpStatus) else { return failure }
        let cause = Self.wrongClock(breaking: rule, token, exchange, expectations) ?? rule
        return .refusedToken(error, because: cause, retryAfter: wait)
    }

    /// Returns the clock that is the cause of a refusal if the token breaks a rule by the service's clock alone.
    private static func wrongClock(
        breaking rule: TokenFinding,
        _ token: BearerToken,
        _ exchange: Exchange,
        _ expectations: TokenInspection.Expectations
    ) -> TokenFinding? {
        guard rule.rule == .issuedAt || rule.rule == .expiry, let serverDate = exchange.serverDate else { return nil }
        // With an offset, the clock of the token's source differs from the local one, too. If its clock is not known, it may be
        // this machine's own, as that of a command or of a key: then the service's clock is the better witness.
        let source = token.properties.clockOffset
        guard abs((source ?? .zero).seconds) <= 5 else { return nil }
        let (received, text) = (exchange.finished.wall, token.authorizationHeaderValue)
        guard !TripState.agrees(serverDate, sent: exchange.started.wall, received: received) else { return nil }
        let byLocalClock = TokenInspection.inspect(text, expectations, now: received).findings
        guard !byLocalClock.contains(where: { $0.rule == rule.rule && $0.verdict == .broken }) else { return nil }
        let offset = Duration(clampedSeconds: serverDate.timeIntervalSince(received))
        return .wrongClock(source == nil ? .here : .service, breaking: rule.rule, offset: offset)
    }

    /// Returns the status of a trip's token, without counting as a use of it.
    package func tokenStatus(of trip: TripID) -> TokenStatus { tokens.status(of: .trip(trip)) }

    /// Interprets an answer over REST.
    package static func outcome(
        of response: HTTPTransportResponse,
        for request: GetTripRequest,
        now: Date
    ) -> Result<Trip, PollFailure> {
        outcome(of: FleetAnswer(response), for: request, now: now)
    }

    /// Interprets an answer.
    package static func outcome(
        of answer: FleetAnswer,
        for request: GetTripRequest,
        now: Date
    ) -> Result<Trip, PollFailure> {
        Result { () throws(PollFailure) in
            let body = try body(of: answer, now: now)
            let trip: Trip
            do throws(WireError) {
                trip = try TripCoding.decode(body)
            } catch {
                throw .unreadable(error)
            }
            guard trip.id == request.trip else { throw .anotherTrip(trip.id) }
            return trip
        }
    }

    /// Returns the body of a successful answer.
    private static func body(of answer: FleetAnswer, now: Date) throws(PollFailure) -> [UInt8] {
        let response = answer.response
        if let reason = answer.remote?.problem { throw .unreadable(.unexpected(path: "", reason: reason)) }
        let title = webPageTitle(response)
        // The front ends of services write their own errors as web pages.
        if let title, response.status < 500 {
            throw .webPage(httpStatus: response.status, title: title.isEmpty ? nil : title)
        }
        switch response.status {
        case 200..<300: return response.body
        // A 304 answers a conditional request, which this client does not send: it is the error of a cache.
        case 300..<304, 305..<400: throw .redirected(httpStatus: response.status)
        default:
            var error = ServiceError(httpStatus: response.status, body: response.body)
            error.grpcStatus = answer.remote?.status
            if let title, !title.isEmpty { error.message = title }
            let header = response.header("retry-after").flatMap { HTTPDate.retryAfter($0, now: now) }
            throw .service(error, retryAfter: [header, error.retryDelay].compactMap(\.self).max())
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
