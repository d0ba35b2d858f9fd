/// The rules for the header, the signature, the account that signed the token, and the audience.
extension TokenRuleEntry {
    static let header = [
        TokenRuleEntry(
            .algorithm,
            [
                .kept(.verdictAlgorithm) { $0.claims.algorithm == "RS256" },
                .broken(.verdictOtherAlgorithm, ["algorithm": \.algorithm], .remedyAlgorithm) {
                    $0.claims.algorithm != nil
                },
                .broken(.verdictAlgorithmNotText, .remedyAlgorithm) { $0.isMistyped("alg") },
                .broken(.verdictNoAlgorithm, .remedyAlgorithm),
            ]
        ),
        TokenRuleEntry(
            .keyID,
            [
                .kept(.verdictKeyID, ["key": \.keyID]) { $0.claims.keyID?.isEmpty == false },
                .broken(.verdictKeyIDNotText, .remedyKeyIDText) { $0.isMistyped("kid") },
                .broken(.verdictNoKeyID, .remedyKeyID),
            ]
        ),
        TokenRuleEntry(
            .signature,
            [
                .broken(.verdictNoSignature, .remedySignToken) { $0.claims.isUnsigned },
                // The signature of an RSA key with 2048 bits has 256 bytes.
                .broken(.verdictSignatureCut, ["bytes": \.signatureBytes], .remedyWholeSignature) {
                    $0.claims.algorithm == "RS256" && $0.claims.signatureBytes < 256
                },
                .unchecked(.verdictSignatureUnchecked),
            ]
        ),
    ]

    static let account = [
        TokenRuleEntry(
            .issuer,
            [
                .broken(.verdictIssuerNotText, .remedyIssuerAndSubject) {
                    $0.lacksIssuer && ($0.isMistyped("iss") || $0.isMistyped("sub"))
                },
                .broken(.verdictNoIssuer, .remedyIssuerAndSubject) { $0.lacksIssuer },
                .broken(
                    .verdictIssuerNotSubject,
                    ["issuer": \.issuer, "subject": \.subject],
                    .remedyIssuerAndSubject
                ) { $0.claims.issuer?.hasSameBytes(as: $0.claims.subject ?? "") == false },
                .broken(.verdictIssuerNoEmail, ["issuer": \.issuer], .remedyIssuerEmail) {
                    $0.claims.issuer?.contains("@") == false
                },
                .unchecked(.verdictIssuerUnknownProject, ["issuer": \.issuer, "project": \.project]) {
                    $0.expectations.providerID != nil
                        && $0.claims.issuer?.hasSuffix(".gserviceaccount.com") == false
                },
                .broken(
                    .verdictIssuerOtherProject,
                    ["issuer": \.issuer, "project": \.project],
                    .remedyProject,
                    verdict: .doubtful
                ) {
                    guard let project = $0.expectations.providerID, let issuer = $0.claims.issuer else { return false }
                    return issuer.hasSuffix(".iam.gserviceaccount.com")
                        && !issuer.hasSuffix("@\(project).iam.gserviceaccount.com")
                },
                .kept(.verdictIssuer, ["issuer": \.issuer]),
            ]
        ),
        TokenRuleEntry(
            .audience,
            [
                .kept(.verdictAudience, ["audience": \.quotedExpectedAudience]) {
                    !$0.isMistyped("aud") && $0.claims.audiences.count == 1
                        && $0.claims.audiences[0].hasSameBytes(as: $0.expectations.audience)
                },
                .broken(.verdictAudienceNotText, [:], .remedyAudience, ["audience": \.expectedAudience]) {
                    $0.claims.audiences.isEmpty && $0.isMistyped("aud")
                },
                .broken(.verdictNoAudience, [:], .remedyAudience, ["audience": \.expectedAudience]) {
                    $0.claims.audiences.isEmpty
                },
                .broken(
                    .verdictAudienceList,
                    ["audiences": \.audiences],
                    .remedyAudienceText,
                    ["audience": \.expectedAudience]
                ) { input in input.claims.audiences.contains { $0.hasSameBytes(as: input.expectations.audience) } },
                .broken(
                    .verdictAudienceNoSlash,
                    ["audience": \.audiences],
                    .remedyAudienceSlash,
                    ["audience": \.expectedAudience]
                ) { input in input.claims.audiences.contains { $0 + "/" == input.expectations.audience } },
                .broken(.verdictAudience, ["audience": \.audiences], .remedyAudience, ["audience": \.expectedAudience]),
            ]
        ),
    ]
}
