import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
import TokenSigning
import TripModel

/// A token that the emulator has received, valid or not: whose it is, and why the service refuses it.
///
/// It exists for the time of one call, because its text is a secret.
struct SentToken {
    private let text: String
    private let claims: TokenClaims?
    /// What the token is, without the token.
    let credential: Call.Credential

    /// Reads the `Authorization` header of a request to an endpoint; `nil` without one, and for a login of a token endpoint.
    init?(_ header: String?, at endpoint: AnsweredRequest.Endpoint) {
        guard let header, !header.isEmpty else { return nil }
        let isBearer = header.lowercased().hasPrefix("bearer ")
        guard isBearer || endpoint == .fleetEngine else { return nil }
        text = isBearer ? String(header.dropFirst(7)) : header
        // A text that is no JWT has no claims.
        claims = try? TokenClaims(token: text)
        // An answer may repeat it.
        KnownSecrets.ofProcess.add(token: text)
        credential = Call.Credential(of: text, claims)
    }

    /// Who has such a token, by its claims: the claims of a rider's token name a trip or a shipment, a driver's token names a vehicle,
    /// and a backend's token has wildcards or no IDs.
    var asker: Call.Party {
        guard let claims else { return credential.isAccessToken ? .backend : .client }
        if claims.ids.contains(where: { [.vehicle, .deliveryVehicle].contains($0.kind) && $0.id != "*" }) {
            return .driver
        }
        if claims.ids.contains(where: { [.trip, .tracking].contains($0.kind) && $0.id != "*" }) { return .rider }
        return .backend
    }

    /// Returns the rule that the token breaks and that explains why a call was refused; `nil` if it breaks none, or if the
    /// refusal is about something else.
    func rule(
        explaining answer: ServiceAnswer,
        of request: PlainRequest,
        in provider: ProviderID,
        _ accounts: ServiceAccounts,
        at now: Date
    ) -> TokenFinding? {
        guard [401, 403].contains(answer.httpStatus) else { return nil }
        let expectations = TokenInspection.Expectations(
            context: asker == .backend ? nil : context(of: request, in: provider),
            providerID: provider.rawValue,
            isForServer: asker == .backend
        )
        let inspection = TokenInspection.inspect(text, expectations, now: now)
        return inspection.explanation(ofRefusalWith: answer.httpStatus) ?? signature(refusedBy: answer, accounts)
    }

    /// The service does not report which check of the signature has failed.
    private func signature(refusedBy answer: ServiceAnswer, _ accounts: ServiceAccounts) -> TokenFinding? {
        guard answer.httpStatus == 401, answer.message == ServiceError.invalidJWT.answer.message,
            let issuer = claims?.issuer
        else { return nil }
        return accounts.role(named: issuer) == nil
            ? .noSuchAccount(host: Authorizer.service, issuer: issuer)
            : .signature(of: nil, named: claims?.keyID, issuer: issuer)
    }

    /// What a token for the request is for; `nil` if the request is about no single trip or vehicle.
    private func context(of request: PlainRequest, in provider: ProviderID) -> AuthorizationContext? {
        // A request that the service does not understand is about nothing.
        guard let target = try? FleetTarget(request, of: provider), let id = target.id else { return nil }
        let kinds: [String: AuthorizationContext.Kind] = [
            "trips": .trip, "vehicles": .vehicle, "taskTrackingInfo": .tracking, "tasks": .task,
            "deliveryVehicles": .deliveryVehicle,
        ]
        // An invalid ID is refused for another reason.
        return kinds[target.collection].flatMap { try? AuthorizationContext($0, id) }
    }
}

extension Call.Credential {
    /// Whether it is an OAuth access token, which no app has.
    fileprivate var isAccessToken: Bool { kind == CredentialKind.oauthAccessToken.rawValue }

    /// Describes a token: a JWT for Fleet Engine, or another credential in its place.
    init(of text: String, _ claims: TokenClaims?) {
        let kind = claims.map { CredentialKind($0)?.rawValue ?? "jwt" } ?? CredentialKind(text)?.rawValue ?? "unknown"
        self.init(kind: kind, fingerprint: tokenFingerprint(of: text))
    }

    /// Describes a token that the emulator has issued.
    init(issued text: String) {
        // What is no JWT has no claims.
        self.init(of: text, try? TokenClaims(token: text))
    }
}
