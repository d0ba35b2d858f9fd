/// The rules for the `authorization` claim: the trip or vehicle, the scope and the task IDs.
extension TokenRuleEntry {
    static let authorization = [
        TokenRuleEntry(
            .authorization,
            [
                .broken(.verdictIDToken, ["issuer": \.issuer], .remedySignJWT) { CredentialKind($0.claims) != nil },
                // Google's server clients sign such tokens with a key file; the roles of the account decide.
                .broken(.verdictServerNoAuthorization, [:], .remedyServerNoAuthorization, verdict: .doubtful) {
                    $0.expectations.isForServer && !$0.claims.hasAuthorization
                },
                .broken(.verdictNoAuthorization, .remedyAuthorization) { !$0.claims.hasAuthorization },
                .kept(.verdictAuthorization),
            ]
        ),
        identity.onlyWithAuthorization,
        scope.onlyWithAuthorization,
        TokenRuleEntry(
            .taskIDs,
            [.broken(.verdictTaskIDsNoArray, .remedyTaskIDs) { $0.claims.hasMalformedTaskIDs }]
        ).onlyWithAuthorization,
    ]

    private static let identity = TokenRuleEntry(
        .identity,
        [
            .kept(.verdictIdentity, ["claim": \.claim, "id": \.quotedID]) { $0.isForContext },
            .broken(
                .verdictOtherIdentity,
                ["claim": \.claim, "id": \.quotedID, "asked": \.expectedID],
                .remedyOtherIdentity
            ) { $0.id != nil },
            .unchecked(.verdictNamedIDs, ["ids": \.ids]) { $0.expectations.context == nil && $0.hasID },
            .broken(.verdictNoIdentity, .remedyNoIdentity) { $0.expectations.context == nil },
            .broken(
                .verdictClaimMisspelt,
                ["name": \.misspelledName, "claim": \.claim],
                .remedyClaimSpelling,
                ["claim": \.claim]
            ) { $0.claims.misspelled[$0.claimName] != nil },
            .broken(.verdictVehicleToken, [:], .remedyIdentity, ["claim": \.claim]) { $0.claims.vehicleID != nil },
            .broken(.verdictTripToken, [:], .remedyIdentity, ["claim": \.claim]) { $0.claims.tripID != nil },
            .broken(.verdictIDNotText, ["claim": \.claim], .remedyIdentity, ["claim": \.claim]) {
                $0.isMistyped($0.claimName)
            },
            .broken(.verdictIDMissing, ["claim": \.claim], .remedyIdentity, ["claim": \.claim]),
        ]
    )

    private static let scope = TokenRuleEntry(
        .scope,
        [
            // Without both wildcards, Fleet Engine finds no scopes in a server's token.
            .broken(.verdictNotForServer, .remedyForServer) {
                $0.expectations.isForServer && !Set($0.claims.wildcards).isSuperset(of: ["tripid", "vehicleid"])
            },
            .kept(.verdictServerWildcard) { $0.expectations.isForServer },
            .broken(.verdictWildcard, ["claims": \.wildcards], .remedyWildcard) { !$0.claims.wildcards.isEmpty },
            .unchecked(.verdictNoIDs) { !$0.hasID },
            .kept(.verdictTwoIDs) { $0.claims.tripID != nil && $0.claims.vehicleID != nil },
            .kept(.verdictOneID),
        ]
    )
}
