package import Failures
package import Foundation
package import Runtime
import Synchronization
import TripModel

/// The emulator's request handling without the network: service, token endpoint and the endpoints of Google's other hosts.
package final class RequestRouter: Sendable {
    private let routes: FleetRoutes
    private let endpoint: TokenEndpoint
    private let googleRoutes: GoogleRoutes
    private let mint: TokenMint
    /// The project with its accounts and access tokens.
    private let project: CredentialProject
    private let clock: any TripClock
    private let faults: FaultInjector
    private let answered: (@Sendable (AnsweredRequest) -> Void)?
    /// Describes the received calls; `nil` if they are not shown.
    private let received: ReceivedCalls?
    private let operatorTokens = Mutex<[BackendToken: TokenMint.Token]>([:])

    /// Creates a router for a service.
    package init(
        _ service: FleetService,
        keys: EmulatorKeys,
        options: EmulatorOptions,
        clock: any TripClock,
        faults: FaultInjector
    ) {
        let accounts = ServiceAccounts(provider: service.provider.rawValue, keys: keys)
        project = CredentialProject(id: service.provider.rawValue, accounts: accounts)
        mint = TokenMint(accounts: accounts, lifetime: options.tokenLifetime)
        routes = FleetRoutes(
            service: service,
            authorizer: Authorizer(
                accounts: accounts,
                accessTokens: project.tokens,
                provider: project.id,
                missingToken: Authorizer.MissingToken(rawValue: options.missingTokenStatus) ?? .unauthenticated
            ),
            quota: options.quota,
            log: options.logged.map { CallLog(provider: service.provider, write: $0) }
        )
        googleRoutes = GoogleRoutes(project)
        endpoint = TokenEndpoint(mint: mint, format: options.tokenFormat, secret: options.tokenSecret)
        self.clock = clock
        self.faults = faults
        answered = options.answered
        received = options.received.map {
            ReceivedCalls(provider: service.provider, accounts: accounts, report: $0)
        }
    }

    /// The service without a transport.
    var service: FleetService { routes.service }

    /// Answers a request to the service.
    package func engine(_ request: PlainRequest, at now: Date) async -> PlainResponse {
        let response = await answer(.fleetEngine, request, at: now) { request, now, _ in
            await self.routes.answer(request, at: now)
        }
        if response.status == 401 { forgetBackendToken(in: request) }
        return response
    }

    /// Drops the token of the backend that was refused, so that the backend signs another token.
    private func forgetBackendToken(in request: PlainRequest) {
        operatorTokens.withLock { tokens in
            tokens = tokens.filter { request.authorization != "Bearer \($0.value.text)" }
        }
    }

    /// Answers a request to the token endpoint.
    package func tokens(_ request: PlainRequest, at now: Date) async -> PlainResponse {
        await answer(.tokens, request, at: now) { await self.endpoint.answer($0, at: $1, $2.token) }
    }

    /// Answers a request to the endpoints of Google's other hosts.
    package func google(_ request: PlainRequest, at now: Date) async -> PlainResponse {
        await answer(.credentials, request, at: now) { await self.googleRoutes.answer($0, at: $1, $2) }
    }

    /// Answers a request with the faults applied, and reports the call.
    private func answer(
        _ endpoint: AnsweredRequest.Endpoint,
        _ request: PlainRequest,
        at now: Date,
        properly: (PlainRequest, Date, FaultEffects) async -> PlainResponse
    ) async -> PlainResponse {
        let (started, begin) = (clock.now(), clock.realTime)
        let answer = FaultyAnswer(target: endpoint.target, faults: faults, clock: clock)
        let response = await answer.answer(request, at: now, properly: properly)
        answered?(AnsweredRequest(endpoint, request, response))
        received?.add(
            endpoint,
            request,
            response,
            started: started,
            ended: clock.now(),
            duration: clock.realTime - begin
        )
        return response
    }

    /// Reports a request that a listener refused before anything answered it.
    func refused(_ endpoint: AnsweredRequest.Endpoint, _ request: PlainRequest, _ response: PlainResponse) {
        let now = clock.now()
        received?.add(endpoint, request, response, started: now, ended: now, duration: nil)
    }

    /// The credential endpoints, and the credential files for them.
    ///
    /// - Parameter host: Host and port at which clients reach the endpoints.
    /// - Returns: The endpoints.
    package func credentials(at host: String) -> EmulatedCredentials {
        EmulatedCredentials(metadataHost: host, project: project)
    }

    /// Answers an operator's request to the service; one about deliveries needs another token.
    func operate(
        _ method: String,
        _ target: String,
        _ body: [UInt8],
        ofDeliveries: Bool = false,
        at now: Date
    ) async throws -> PlainResponse {
        let header = "Bearer \(try await backendToken(ofDeliveries ? .deliveries : .trips))"
        guard let request = PlainRequest(method: method, target: target, authorization: header, body: body) else {
            return .error(.invalidArgument("The request's target is not a path."))
        }
        return await routes.answer(request, at: now, isCounted: false)
    }

    /// Returns an operator token for trips; with `ofDeliveries` for tasks and delivery vehicles.
    package func operatorToken(ofDeliveries: Bool = false) async throws -> String {
        try await backendToken(ofDeliveries ? .deliveries : .trips)
    }

    /// Returns a token of the backend; each is reused for half of its lifetime, because signing is slow.
    package func backendToken(_ kind: BackendToken) async throws -> String {
        let now = clock.now().wall
        if let token = operatorTokens.withLock({ $0[kind] }), token.issued <= now,
            now.timeIntervalSince(token.issued) < token.expires.timeIntervalSince(now)
        {
            return token.text
        }
        let token = try await mint.token(for: kind.holder, at: now)
        operatorTokens.withLock { $0[kind] = token }
        return token.text
    }

    /// The base URL of the service in ``transport``.
    package static let engineOrigin = "http://engine.test"

    /// A transport without a network, for listeners of other protocols and for tests with their own clock.
    ///
    /// The service is at ``engineOrigin``, the token endpoint at `http://tokens.test`, and the endpoints of Google's other
    /// hosts are at `http://google.test`.
    package var transport: HTTPTransport {
        HTTPTransport { request throws(Failure) in
            let origins = [Self.engineOrigin, "http://tokens.test", "http://google.test"]
            let origin = origins.first(where: request.url.hasPrefix) ?? Self.engineOrigin
            var headers = ["host": String(origin.trimmingPrefix("http://"))]
            for (name, value) in request.headers where PlainRequest.readHeaders.contains(name.lowercased()) {
                headers[name.lowercased()] = value
            }
            guard
                var plain = PlainRequest(
                    method: request.method,
                    target: String(request.url.trimmingPrefix(origin)),
                    authorization: request.headers.first { $0.name.lowercased() == "authorization" }?.value,
                    body: request.body,
                    headers: headers
                )
            else { throw .malformed(reason: "not a path") }
            plain.remote = PlainRequest.Remote(request)
            let now = self.clock.now().wall
            let response =
                switch origin {
                case Self.engineOrigin: await self.engine(plain, at: now)
                case "http://tokens.test": await self.tokens(plain, at: now)
                default: await self.google(plain, at: now)
                }
            func closed(_ failure: Failure) -> Failure {
                guard let fault = response.fault else { return failure }
                let line = Exchange.Request(method: request.method, url: request.url, headerNames: [], bytes: 0)
                return failure.with(
                    Exchange(.http, line, duration: .zero, ending: .failed(failure.code), fault: fault)
                )
            }
            guard let share = response.delivery.share else { throw closed(.connectionLost) }
            if share < 1 { throw closed(.cutOff) }
            if response.delivery.duration > .zero {
                // A cancelled caller does not read the answer.
                await self.faults.delays.wait(for: response.delivery.duration, on: self.clock)
            }
            let date = HTTPDate.text(response.date ?? self.clock.now().wall)
            return HTTPTransportResponse(
                status: response.status,
                headers: response.allHeaders.map { ($0.name, $0.value) } + [("date", date)],
                body: response.body
            )
        }
    }
}
