import FleetWire
import Foundation
package import HTTPTransport
package import TripModel

/// The answers of an emulator without the network: those of the service and those of the token endpoint.
package struct EmulatorDesk: Sendable {
    private let routes: FleetRoutes
    private let endpoint: TokenEndpoint
    private let mint: TokenMint
    private let clock: any TripClock
    private let faults: FaultInjector

    /// Answers for a service.
    package init(
        _ service: FleetService,
        keys: EmulatorKeys,
        options: EmulatorOptions,
        clock: any TripClock,
        faults: FaultInjector
    ) {
        let accounts = ServiceAccounts(provider: service.provider.rawValue, keys: keys)
        mint = TokenMint(accounts: accounts, lifetime: options.tokenLifetime)
        routes = FleetRoutes(
            service: service,
            authorizer: Authorizer(
                accounts: accounts,
                missingToken: Authorizer.MissingToken(rawValue: options.missingTokenStatus) ?? .unauthenticated
            )
        )
        endpoint = TokenEndpoint(mint: mint, format: options.tokenFormat)
        self.clock = clock
        self.faults = faults
    }

    /// The service's answer to a request.
    func engine(_ request: PlainRequest, at now: Date) async -> PlainResponse {
        await FaultyAnswer(target: .engine, faults: faults, clock: clock).answer(request, at: now) { request, now, _ in
            await routes.answer(request, at: now)
        }
    }

    /// The token endpoint's answer to a request.
    func tokens(_ request: PlainRequest, at now: Date) async -> PlainResponse {
        await FaultyAnswer(target: .tokens, faults: faults, clock: clock).answer(request, at: now) {
            await endpoint.answer($0, at: $1, $2)
        }
    }

    /// The service's answer to an operator's request.
    func operate(_ method: String, _ target: String, _ body: [UInt8], at now: Date) async throws -> PlainResponse {
        let header = "Bearer \(try await operatorToken())"
        guard let request = PlainRequest(method: method, target: target, authorization: header, body: body) else {
            return .error(.invalidArgument("The request's target is not a path."))
        }
        return await routes.answer(request, at: now)
    }

    /// A token with the rights of an operator.
    package func operatorToken() async throws -> String { try await mint.server(at: clock.now().wall).text }

    /// A transport that reaches the service at `http://engine.test` and the token endpoint at `http://tokens.test`,
    /// without any network: for tests on a clock of their own.
    package var transport: HTTPTransport {
        HTTPTransport { request throws(HTTPTransportError) in
            let isToken = request.url.hasPrefix("http://tokens.test")
            let target = String(request.url.trimmingPrefix(isToken ? "http://tokens.test" : "http://engine.test"))
            guard
                let plain = PlainRequest(
                    method: request.method,
                    target: target,
                    authorization: request.headers.first { $0.name == "authorization" }?.value,
                    body: request.body
                )
            else { throw .malformed(reason: "not a path") }
            let now = clock.now().wall
            let response = isToken ? await tokens(plain, at: now) : await engine(plain, at: now)
            if response.delivery == .reset { throw .connectionLost }
            if response.delivery == .cutOff { throw .cutOff }
            let date = HTTPDate.text(response.date ?? clock.now().wall)
            return HTTPTransportResponse(
                status: response.status,
                headers: response.headers.map { ($0.name, $0.value) } + [("date", date)],
                body: response.body
            )
        }
    }
}
