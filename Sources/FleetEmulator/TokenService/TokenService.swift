import Failures
package import FleetTokens
import FleetWire
package import Foundation
package import Runtime
import Synchronization
import TripModel

/// A token endpoint for development and demos in front of a real project.
///
/// Unlike the emulator's, it always requires a login, and it serves no server tokens.
package final class TokenService: Sendable {
    /// The settings of a service.
    package struct Options: Sendable {
        /// The address to listen on.
        package var host = "127.0.0.1"
        /// The port; 0 selects a free one.
        package var port = 0
        /// Names that a request's `Host` header may have in addition to the names of loopback and the address.
        package var allowedHosts: [String] = []
        /// The form of the answers.
        package var format = TokenEndpointFormat()
        /// The maximum number of requests with the login per minute and client address.
        package var requestsPerMinute = 60

        /// Creates the default settings.
        package init() {}
    }

    /// Why there is no token, for the client.
    package struct Refusal: Error, Sendable {
        /// The HTTP status.
        package var status: Int
        /// The reason in words, without secrets.
        package var message: String
    }

    /// One line of the audit: who asked for what, and how it ended; never a token.
    package struct Audit: Sendable, Equatable {
        /// The time of the request.
        package var time: Date
        /// What was asked for; `nil` if the request was not understood or not logged in.
        package var context: AuthorizationContext?
        /// The HTTP status of the answer.
        package var status: Int
        /// The fingerprint and the expiry of the issued token.
        package var token: (fingerprint: String, expiresAt: Date)?

        package static func == (left: Audit, right: Audit) -> Bool {
            left.time == right.time && left.context == right.context && left.status == right.status
                && left.token?.fingerprint == right.token?.fingerprint
                && left.token?.expiresAt == right.token?.expiresAt
        }
    }

    /// Returns the name of a kind of token in a path; `nil` if the service has no such tokens.
    package static func type(of context: AuthorizationContext) -> String? {
        TokenRequest.types.first { $0.kind == context.kind }?.type
    }

    private let options: Options
    private let login: EndpointLogin
    private let clock: any TripClock
    private let sign: @Sendable (AuthorizationContext) async throws(Refusal) -> IssuedToken
    private let audit: @Sendable (Audit) -> Void
    private let limit: Mutex<CallerLimit>

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - options: The settings.
    ///   - login: What clients must send.
    ///   - clock: The clock.
    ///   - sign: Signs a token for one trip or vehicle.
    ///   - audit: Receives a line for each request.
    package init(
        _ options: Options,
        login: EndpointLogin,
        clock: any TripClock,
        sign: @escaping @Sendable (AuthorizationContext) async throws(Refusal) -> IssuedToken,
        audit: @escaping @Sendable (Audit) -> Void
    ) {
        (self.options, self.login, self.clock, self.sign, self.audit) = (options, login, clock, sign, audit)
        limit = Mutex(CallerLimit(requestsPerMinute: options.requestsPerMinute))
    }

    /// Answers a request.
    func answer(_ request: PlainRequest, at now: Date) async -> PlainResponse {
        var line = Audit(time: now, status: 200)
        var response: PlainResponse
        do throws(ServiceError) {
            try check(request, at: now)
            let context = try TokenRequest.context(request.segments)
            try TokenRequest.checkSignable(context.id)
            line.context = context
            let token = try await token(for: context)
            line.token = (token.fingerprint, token.expires)
            response = PlainResponse(
                status: 200,
                body: options.format.answer(token.text, issued: token.issued, expires: token.expires),
                headers: [("Cache-Control", "no-store")]
            )
        } catch {
            response = .error(error)
            if let wait = error.answer.retryDelay {
                response.headers.append(("Retry-After", String(Int(wait.seconds.rounded(.up)))))
            }
        }
        line.status = response.status
        audit(line)
        return response
    }

    /// Throws if the login is missing or the limit is reached.
    ///
    /// Only requests with the login count, so that others cannot use up its limit.
    private func check(_ request: PlainRequest, at now: Date) throws(ServiceError) {
        guard login.isMet(by: request.authorization) else {
            throw .unauthenticated("Send the login of this token endpoint in the header Authorization.")
        }
        if let wait = limit.withLock({ $0.count(request.peer ?? "", at: now) }) {
            throw ServiceError(
                httpStatus: 429,
                status: StatusCode.resourceExhausted.name,
                message: "More than \(options.requestsPerMinute) requests in this minute.",
                retryDelay: wait
            )
        }
        guard request.method == "GET" else { throw .methodNotAllowed }
    }

    private struct Token {
        var text: String
        var issued: Date
        var expires: Date
        var fingerprint: String
    }

    private func token(for context: AuthorizationContext) async throws(ServiceError) -> Token {
        do throws(Refusal) {
            let text = try await sign(context).revealed
            let claims: TokenClaims
            do throws(Failure) {
                claims = try TokenClaims(token: text)
            } catch {
                throw Refusal(status: 502, message: "The signer returned something else than a token.")
            }
            return Token(
                text: text,
                issued: claims.issuedAt ?? clock.now().wall,
                expires: claims.expiresAt ?? clock.now().wall,
                fingerprint: tokenFingerprint(of: text)
            )
        } catch {
            throw ServiceError(error)
        }
    }

    /// Listens for the duration of a closure, which gets the base URL.
    ///
    /// Throws ``EmulatorError`` or the error of the closure.
    package func run<Result: Sendable>(
        _ body: @escaping @Sendable (_ url: String) async throws -> Result
    ) async throws -> Result {
        try await OnePortServer.run(
            host: options.host,
            port: options.port,
            policy: HostPolicy(listeningOn: options.host, allowing: options.allowedHosts),
            clock: clock,
            answer: { await self.answer($0, at: self.clock.now().wall) },
            body: body
        )
    }
}
