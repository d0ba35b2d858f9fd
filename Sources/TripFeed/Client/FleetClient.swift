package import Failures
package import FleetTokens
package import FleetWire
import Foundation
package import Runtime
package import TokenSigning
package import TripModel

/// Calls a Fleet Engine with tokens from the provider, one call at a time.
package final class FleetClient: Sendable {
    /// The timeout of one call in real time: the default deadline of Google's clients.
    package static let deadline = Duration.seconds(15)

    private let endpoint: ServiceEndpoint
    private let tokens: TokenProvider
    private let transport: FleetTransport
    let clock: any TripClock
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

    /// Stops refreshing the token of a trip or a shipment, because it is no longer followed.
    package func stopRefreshing(_ id: JourneyID) { tokens.stopRefreshing(.journey(id)) }

    /// Requests a trip or a shipment once; the report holds the answer or the failure.
    ///
    /// A 401 or 403 is reported to the token provider, so that the next call uses another token.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: The subject of the token; `nil` for a token of the trip or the shipment.
    /// - Returns: The report.
    package func get(_ request: JourneyRequest, as context: AuthorizationContext? = nil) async -> PollReport {
        let started = clock.now()
        let context = context ?? .journey(request.journey)
        let call = await send(FleetCall(request), as: context, started: started)
        var report = report(of: call, on: request, started: started)
        guard call.answer != nil, let failure = report.failure else { return report }
        report.outcome = .failure(await explained(failure, of: call, as: context, in: request.provider))
        return report
    }

    /// Returns the report of a request.
    ///
    /// It is not inlined: an asynchronous function retains the memory of all its values while it waits.
    @inline(never)
    private func report(of call: AuthorizedCall, on request: JourneyRequest, started: Moment) -> PollReport {
        var report = PollReport(journey: request.journey, started: started)
        report.finished = call.finished
        if let answer = call.answer {
            (report.serverDate, report.cacheAge, report.cache) = (call.serverDate, call.cacheAge, call.cache)
            report.outcome = Self.outcome(of: answer, for: request, now: call.serverNow)
                .mapError { $0.with(call.evidence) }
            if case .success(let journey) = report.outcome {
                report.leftOut = GuardedPart.leftOut(of: journey, for: request)
            }
        } else if let failure = call.failure {
            report.outcome = .failure(failure)
        }
        report.call = call.record(of: FleetCall(request), at: endpoint, failure: report.failure)
        return report
    }

    /// Requests a page of trips with a server token; the report holds the page or the failure.
    package func searchTrips(_ search: TripSearch, in provider: ProviderID) async -> SearchReport {
        let content = FleetCall.searchTrips(search, in: provider)
        let call = await send(content, as: .server, started: clock.now())
        var outcome: Result<TripPage, Failure>
        do throws(Failure) {
            guard let answer = call.answer else { throw call.failure ?? .cancelled }
            let body = try Self.body(of: answer, now: call.serverNow)
            do throws(WireError) {
                outcome = .success(try TripPage(body: body))
            } catch {
                throw .unreadable(error)
            }
        } catch {
            outcome = .failure(await explained(error.with(call.evidence), of: call, as: .server, in: provider))
        }
        return SearchReport(call, of: content, at: endpoint, outcome: outcome)
    }

    /// Sends a call with a token.
    func send(
        _ content: FleetCall,
        as context: AuthorizationContext,
        started: Moment
    ) async -> AuthorizedCall {
        var call = AuthorizedCall(started: started)
        do {
            call.token = try await tokens.token(for: context)
        } catch {
            call.finished = clock.now()
            let status = tokens.status(of: context)
            call.failure = error.failure.with(status.lastExchange).with(History(tokens: status.generation))
            return call
        }
        let sent = clock.realTime
        do {
            let answer = try await transport.send(content, call.token?.authorizationHeaderValue ?? "")
            call.receivedBytes = answer.response.body.count
            call.answer = answer
            if let clean = content.journey.flatMap({ answer.redacted(about: $0.journey) }) {
                (call.answer, call.isClean) = (clean, true)
            }
        } catch {
            call.failure = error
        }
        call.finished = clock.now()
        call.latency = clock.realTime - sent
        if let agrees = call.serviceAgrees { tokens.compareClocks(serviceAgrees: agrees) }
        return call
    }

    /// Returns a failure with the broken rule that explains a refusal, and reports the refused token to the provider.
    @inline(never)
    private func explained(
        _ failure: Failure,
        of call: AuthorizedCall,
        as context: AuthorizationContext,
        in provider: ProviderID
    ) async -> Failure {
        // A web page from a proxy says nothing about the token, and neither does a refusal that a cache repeats.
        // Neither does a gateway's 403; its 401 may mean that the token has expired.
        guard let error = failure.answer, failure.brokenRule == nil, [401, 403].contains(error.httpStatus),
            call.cache == nil, error.httpStatus == 401 || !error.isForeign, let token = call.token
        else { return failure }
        tokens.reject(token, for: context, status: error.answerStatus, injected: failure.injected)
        // Then the token does not matter.
        guard error.projectProblem == nil, failure.injected == nil else { return failure }
        let expectations = TokenInspection.Expectations(context: context, providerID: provider.rawValue)
        var inspection = TokenInspection.inspect(token, expectations, now: call.serverNow)
        if let certificates { inspection = await inspection.checkingSignature(certificates) }
        guard let rule = inspection.explanation(ofRefusalWith: error.httpStatus) else {
            var failure = failure
            failure.satisfiedRules = inspection.findings.satisfiedRules
            return failure
        }
        let cause = Self.wrongClock(breaking: rule, token, call, expectations) ?? rule
        return .refusedToken(error, because: cause, retryAfter: failure.retryAfter).with(failure.exchange)
    }

    /// Returns the status of the token of a trip or a shipment, without counting as a use of it.
    package func tokenStatus(of id: JourneyID) -> TokenStatus { tokens.status(of: .journey(id)) }
}
