extension Catalogue {
    static let englishEvidence: [Phrase: String] = [
        // How failures follow from one another
        .causeAndSymptom: "{0}; since then: {1}",
        .refusalSaid: "{0} {1}: {4} ({2}, trip {3})",
        // What a slow reader is told by its number
        .omittedNews: "{0} outcomes before this are not told one by one: {1}",
        .omittedPolls: "{0} counted only",
        // Credentials of another kind
        .oauthToken: "OAuth access token",
        .oauthTokenWhat: "it is an OAuth access token (ya29.…), not a signed JWT",
        .idToken: "ID token",
        .idTokenWhat: "it is an ID token: it says who somebody is, and allows nothing",
        .apiKey: "API key",
        .apiKeyWhat: "it is an API key (AIza…), not a signed JWT",
        .sessionCookie: "session cookie",
        .sessionCookieWhat: "it is the cookie of a web session, not a signed JWT",
        .otherCredentialAdvice: """
        Fleet Engine takes a JWT that a service account has signed for this trip: let the endpoint sign one.
        """,
        .misspeltClaim: "‘{0}’ misspelt",
        .misspeltClaimWhat: "its `authorization` has ‘{0}’ where Fleet Engine looks for ‘{1}’",
        .misspeltClaimAdvice: "Write {1}, in lower case and in one word.",
        .noKeyKnownWhat: "the answer has no key ‘{0}’; it has {1}",
        .tokenNames: " (its {0} is ‘{1}’)",
        // The last rejected token and the last answer of its endpoint
        .rejectedTitle: "Rejected token",
        .rejectedUnused: "Not used, {0}: {1}",
        .rejectedByService: "Refused by Fleet Engine with HTTP {1}, {0}",
        .lastRejected: "The last rejected token",
        .endpointAnswer: "Last answer of the token endpoint",
        .endpointBodyEmpty: "no body",
        // The request, to be copied
        .requestTitle: "Request",
        .keyCopy: "copy",
        .helpCopy: "Copy the trip's ID, in Network the request as a curl command.",
        .copied: "Copied: {0}",
        // Findings about tokens, refusals and what is missing
        .findingsNotFollowed: "The trip can't be followed at present: {0}. The {1} rules are held against answers.",
        .findingsNoAnswer: "No answer has come yet: the {0} rules are held against answers.",
        .tokenUnusable: "token not usable",
        .tokenUnusableWhat: "The token that came breaks a rule ({0})",
        .serviceRefuses: "refused by the service",
        .serviceRefusesWhat: "The service refuses the trip: {0} {1}{2}",
        .adviceTokenView: "The Token view shows what the token says and which rule it breaks.",
        .statusMissing: "no status",
        .statusMissingWhat: "The answer has no tripStatus",
        .trackingMissing: "nothing to follow",
        .trackingMissingWhat: "The trip is under way, and for {0} these have been missing: {1}",
        .missingPosition: "the position",
        .missingRoute: "the route",
        .missingArrival: "the arrival",
    ]
}
