package import Failures
package import FleetTokens
import Foundation
import JWTKit
import Runtime
import TokenSigning
import TripModel

/// Signs JWTs in the name of a service account: with the key of a credential, or by IAM without one.
package struct TokenSigner: Sendable {
    /// Who signs, as the flags say it.
    package struct Choice: Sendable, Equatable {
        /// The service account that signs; `nil` for the account of the credential.
        package var account: String?
        /// The accounts between the credential and the signing account, in order.
        package var delegates: [String] = []
    }

    private let choice: Choice
    private let credential: Credential
    private let tokens: AccessTokens
    /// The credential whose access token signs.
    private let caller: Credential
    /// Stores the access token with which IAM signs.
    private let cache: TokenProvider
    /// The grants of that access token that no fetch has reported yet.
    private let granted = TokenAnswerRecorder()

    init(_ choice: Choice, _ found: FoundCredential, _ tokens: AccessTokens, policy: TokenPolicy) {
        (self.choice, credential, self.tokens) = (choice, found.credential, tokens)
        caller =
            if case .impersonated(let impersonated) = found.credential,
                choice.account ?? impersonated.target == impersonated.target
            {
                // The source may act in the name of the target; the target need not have a role on itself.
                impersonated.source
            } else {
                found.credential
            }
        cache = TokenProvider(
            source: AccessTokenSource(credential: caller, tokens: tokens),
            clock: tokens.world.clock,
            policy: policy,
            seed: .random(in: .min ... .max)
        )
        cache.observe { [granted] event in
            granted.add(grants: event.calls.filter { $0.answerer == .credentials })
        }
    }

    /// The key of the file, if it belongs to the signing account.
    var key: ServiceAccountKey? {
        guard case .serviceAccount(let account) = credential, choice.account ?? account.key.email == account.key.email
        else { return nil }
        return account.key
    }

    /// Whether IAM signs, because there is no key of the account.
    package var needsIAM: Bool { key == nil }

    /// The account that signs.
    ///
    /// - Throws: An error if the credential has no service account and none was named.
    package func account() async throws(Failure) -> String {
        if let account = choice.account ?? credential.signer { return account }
        if case .metadata(let server) = credential, let account = await server.account(tokens.world) { return account }
        throw Failure(.signerUnnamed)
    }

    /// Signs the claims of a token for a trip, a vehicle or a server.
    package func sign(
        _ context: AuthorizationContext,
        lifetime: Duration = .seconds(3300),
        recording recorder: TokenAnswerRecorder = TokenAnswerRecorder()
    ) async throws(Failure) -> IssuedToken {
        let now = tokens.world.clock.now().wall
        if let key { return try await key.sign(context, at: now, lifetime: lifetime) }
        let account = try await account()
        return try await sign(
            FleetTokenClaims(account, context, at: now, lifetime: lifetime),
            as: account,
            recording: recorder
        )
    }

    /// Signs claims by IAM in the name of an account, even if the credential is a key of the account.
    package func sign(
        _ claims: some Encodable & Sendable,
        as account: String,
        recording recorder: TokenAnswerRecorder = TokenAnswerRecorder()
    ) async throws(Failure) -> IssuedToken {
        var (delegates, url) = (choice.delegates, String?.none)
        if case .impersonated(let impersonated) = credential {
            url = impersonated.iamURL
            if caller.type != credential.type { delegates = impersonated.delegates + delegates }
        }
        let iam = await tokens.iam(GoogleCall(world: tokens.world, recorder: recorder), url, caller)
        let access = try await accessToken(recorder)
        var answer: (token: String, response: HTTPTransportResponse)
        do throws(Failure) {
            answer = try await iam.signJWT(claims, as: account, delegates: delegates, with: access.revealed)
        } catch {
            // As with Fleet Engine: one new token and one repetition.
            recorder.refuseLastGrant(error)
            guard error.code == .iamRefused, error[.status] == 401,
                let other = await replacement(of: access, recorder)
            else { throw error }
            answer = try await iam.signJWT(claims, as: account, delegates: delegates, with: other.revealed)
        }
        let (token, response) = answer
        var issued = IssuedToken(token, serverDate: response.header("Date").flatMap(HTTPDate.date))
        issued.isNew = true
        return issued
    }

    /// Returns another access token than one that IAM refused; `nil` if there is none.
    private func replacement(of refused: BearerToken, _ recorder: TokenAnswerRecorder) async -> BearerToken? {
        defer { recorder.add(grants: granted.takeGrants()) }
        cache.reject(refused, for: .server, status: 401)
        // Without another token, the refusal is what happened.
        return try? await cache.token(for: .server)
    }

    /// Returns the access token with which IAM signs.
    private func accessToken(_ recorder: TokenAnswerRecorder) async throws(Failure) -> BearerToken {
        defer { recorder.add(grants: granted.takeGrants()) }
        do throws(TokenError) {
            return try await cache.token(for: .server)
        } catch {
            recorder.record(cache.status(of: .server).lastExchange)
            switch error.failure.code {
            case .missingData, .tokenUnavailable: throw error.failure.cause ?? error.failure
            case .tokenCancelled: throw .sourceCancelled
            default: throw error.failure
            }
        }
    }
}
