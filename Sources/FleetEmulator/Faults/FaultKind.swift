import FleetWire
import TripModel

/// A kind of fault: one entry of the fault table ``all``.
package struct FaultKind: Sendable {
    /// The name in scenarios and control requests.
    package let name: String
    /// The parameters of the kind.
    let parameters: [FaultParameter]
    /// The endpoints whose answers the kind can change.
    let targets: Set<Fault.Target>
    /// Whether it refuses the tokens that were sent before it, until one comes that was not.
    private(set) var refusesSentTokens = false
    /// Adds the fault to the effects on one answer.
    let apply: @Sendable (FaultValues, inout FaultEffects) -> Void

    private init(
        _ name: String,
        _ parameters: FaultParameter...,
        on targets: Set<Fault.Target> = Set(Fault.Target.allCases),
        apply: @escaping @Sendable (FaultValues, inout FaultEffects) -> Void
    ) {
        (self.name, self.parameters, self.targets, self.apply) = (name, parameters, targets, apply)
    }

    private init(_ name: String, _ problem: CredentialProblem) {
        self.init(name, on: [.credentials]) { _, effects in effects.problems.insert(problem) }
    }

    /// The fault table.
    package static let all: [FaultKind] = [
        // The answer is delayed.
        FaultKind("latency", .seconds(0...600)) { values, effects in effects.delay += values.duration },
        // An error answer, in Google's format unless a body is given.
        FaultKind(
            "status",
            .integer("status", 300...599),
            .integer("retry-after", Int.min...Int.max).optional,
            .text("body").optional
        ) { values, effects in
            effects.replaceAnswer(
                with: InjectedError(
                    status: values.integer("status") ?? 500,
                    retryAfter: values.integer("retry-after"),
                    body: values.text("body")
                )
            )
        },
        // The connection is closed before the answer.
        FaultKind("reset") { _, effects in effects.delivery.share = nil },
        // The answer is truncated.
        FaultKind("truncated") { _, effects in
            effects.delivery.share = effects.delivery.share.map { min($0, 0.5) }
        },
        // The answer is not JSON.
        FaultKind("garbage") { _, effects in
            effects.changeBody { $0.body = Array("<html><body>It works!</body></html>".utf8) }
        },
        // Fields that usually come are missing.
        FaultKind("sparse", .text("fields").optional) { values, effects in
            let fields = values.text("fields").map { FieldMask(text: $0) } ?? SparseAnswer.usual
            effects.changeBody { response in
                if response.status == 200 { response.body = SparseAnswer.without(fields, response.body) }
            }
        },
        // The answer is sent slowly.
        FaultKind("drip", .seconds(0...600)) { values, effects in
            effects.delivery.duration = values.duration
        },
        // The remote clock is shifted: the `Date` header and the times of tokens.
        FaultKind("clock", .seconds(-86_400...86_400)) { values, effects in effects.clockOffset += values.duration },
        // The tokens that were sent so far are refused; the first other one ends the fault.
        refusingSentTokens,
        // The token expired a minute ago.
        FaultKind("expired-token", on: [.tokens]) { _, effects in
            effects.token.changeClaims { claims in
                let shift = (claims.exp ?? 0) - (claims.iat ?? 0) + 60
                claims.iat? -= shift
                claims.exp? -= shift
            }
        },
        // The token is for another trip, vehicle or shipment.
        FaultKind("wrong-token", on: [.tokens]) { _, effects in
            effects.token.changeClaims { claims in
                if claims.authorization?.tripid != nil { claims.authorization?.tripid = "another-trip" }
                if claims.authorization?.vehicleid != nil { claims.authorization?.vehicleid = "another-vehicle" }
                if claims.authorization?.trackingid != nil { claims.authorization?.trackingid = "another-shipment" }
                if claims.authorization?.deliveryvehicleid != nil {
                    claims.authorization?.deliveryvehicleid = "another-vehicle"
                }
            }
        },
        // The token is larger than any client should accept.
        FaultKind("oversized-token", on: [.tokens]) { _, effects in effects.token.padding = 20_000 },
        // Tokens have this lifetime.
        FaultKind("lifetime", .seconds(1...7200), on: [.tokens, .credentials]) { values, effects in
            effects.token.lifetime = values.duration
        },
        // Problems of credentials.
        FaultKind("no-account", .noAccount),
        FaultKind("iam-denied", .iamDenied),
        FaultKind("iam-disabled", .iamDisabled),
        FaultKind("account-disabled", .accountDisabled),
        FaultKind("key-deleted", .keyDeleted),
        FaultKind("reauth", .reauthentication),
        FaultKind("narrow-scopes", .narrowScopes),
        FaultKind("no-metadata-header", .noMetadataHeader),
        FaultKind("attribute-condition", .attributeCondition),
        FaultKind("stale-subject", .staleSubject),
    ]

    private static let refusingSentTokens: FaultKind = {
        var kind = FaultKind("revoked-tokens", on: [.engine]) { _, effects in
            effects.replaceAnswer(with: InjectedError(status: 401))
        }
        kind.refusesSentTokens = true
        return kind
    }()

    /// The parameters of all kinds, each key once.
    static let parameters: [FaultParameter] = all.flatMap(\.parameters).reduce(into: []) { parameters, parameter in
        if !parameters.contains(where: { $0.key == parameter.key }) { parameters.append(parameter) }
    }
}
