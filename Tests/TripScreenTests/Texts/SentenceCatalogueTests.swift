import Failures
import FleetTokens
import Foundation
import Testing
import TokenSigning
import TripModel
import TripScreen
import TripTestSupport
import TripText

/// Sentences that are created in English elsewhere and translated on the screen.
@Suite("Sentence catalogue", .ends(within: .quickTest))
struct SentenceCatalogueTests {
    private static let now = Date(timeIntervalSince1970: 1_767_225_600)
    private static let header = #"{"alg":"RS256","kid":"k","typ":"JWT"}"#

    /// The findings about a token for a trip that is valid except for the given claims.
    private static func findings(
        _ changes: [String: String] = [:],
        without: String? = nil,
        authorization: String? = #"{"tripid":"trip-A"}"#,
        header: String = header,
        signature: String = String(repeating: "s", count: 256),
        provider: String? = nil,
        spelling: (String) -> String = { $0 }
    ) throws -> [TokenFinding] {
        var claims = [
            "iss": #""a@b""#, "sub": #""a@b""#, "aud": #""https://fleetengine.googleapis.com/""#, "iat": "1767225540",
            "exp": "1767228840",
        ]
        claims["authorization"] = authorization
        claims.merge(changes) { $1 }
        if let without { claims[without] = nil }
        let payload = "{" + claims.map { "\"\($0)\":\($1)" }.sorted().joined(separator: ",") + "}"
        let parts = [header, payload, signature].map { Base64URL.encode(Array($0.utf8)) }
        let expectations = TokenInspection.Expectations(
            context: .trip(try TripID("trip-A")),
            providerID: provider
        )
        return TokenInspection.inspect(spelling(parts.joined(separator: ".")), expectations, now: now).findings
    }

    /// Errors in a token's encoding, its header and its signature.
    private static func misspelt() throws -> [TokenFinding] {
        try findings { _ in String(repeating: "x", count: 100_000) } + findings { _ in "a.b" }
            + findings { _ in "ya29.a0AfH6SMBx" } + findings { _ in "AIza" + String(repeating: "x", count: 35) }
            + findings { _ in "s%3Aabc.def" }
            + findings { "\($0)=" } + findings { "\($0)+" } + findings { "\($0)*" } + findings { _ in "YQ.YQ.YQ" }
            + findings(header: #"{"alg":"ES256","kid":"k"}"#) + findings(header: "{}")
            + findings(header: #"{"alg":5,"kid":5}"#)
            + findings(header: #"{"alg":"none","kid":"k"}"#, signature: "") + findings(signature: "s")
    }

    /// Every outcome of a signature check.
    private static let signatures: [TokenFinding] = [
        .malformedSignature, .signature(matchesPublicKey: true), .signature(matchesPublicKey: false),
        .noCertificates(host: "h", reason: "r"), .noSuchAccount(host: "h", issuer: "a@b"),
        .signature(of: "k", named: nil, issuer: "a@b"), .signature(of: "k", named: "l", issuer: "a@b"),
        .signature(of: nil, named: "k", issuer: "a@b"), .signature(of: nil, named: nil, issuer: "a@b"),
        .unknownKey("k", issuer: "a@b", known: ["l"]),
    ]

    /// Tokens with every kind of odd claims that the screen can show.
    private static func odd() throws -> [TokenFinding] {
        try findings(["iss": #""x""#, "sub": #""x""#]) + findings(provider: "p") + findings(["iss": "5"])
            + findings(without: "sub") + findings(["sub": #""c@d""#])
            + findings(
                ["iss": #""a@q.iam.gserviceaccount.com""#, "sub": #""a@q.iam.gserviceaccount.com""#],
                provider: "p"
            )
            + findings(["aud": #"["https://fleetengine.googleapis.com/","x"]"#]) + findings(without: "aud")
            + findings(["aud": "5"])
            + findings(["aud": #""https://fleetengine.googleapis.com""#]) + findings(["aud": #""x""#])
            + findings(["nbf": "1767229200"]) + findings(without: "iat") + findings(["iat": "1767229200"])
            + findings(["iat": "1767225700"]) + findings(["iat": #""1""#]) + findings(without: "exp")
            + findings(["exp": "1767228840000"]) + findings(["exp": "1767225000"]) + findings(["exp": "1767239200"])
            + findings(["iat": "1767225500", "exp": "1767225510"])
            + findings(["iat": "1767225560", "exp": "1767229190"])
            + findings(["exp": "1767225000", "iat": "1767225100"]) + findings(authorization: nil)
            + findings(authorization: #"{"tripid":"trip-A","taskids":"t"}"#)
            + findings(authorization: #"{"tripid":"*"}"#)
            + findings(authorization: "{}") + findings(authorization: #"{"tripid":"trip-A","vehicleid":"v"}"#)
            + findings(authorization: #"{"tripid":"providers/p/trips/trip-A"}"#)
            + findings(authorization: #"{"tripid":"trip%2DA"}"#) + findings(authorization: #"{"tripid":"Trip-A"}"#)
            + findings(authorization: #"{"tripid":"trip-B"}"#) + findings(authorization: #"{"vehicleid":"v"}"#)
            + findings(authorization: #"{"trackingid":"t"}"#)
            + findings(authorization: #"{"tripid":"trip-A","taskid":"t"}"#)
            + findings(authorization: #"{"tripid":"trip-A","trackingid":"t"}"#)
            + findings(authorization: #"{"tripid":5}"#) + findings(authorization: #"{"tripId":"trip-A"}"#)
            + findings(["iss": #""https://accounts.google.com""#], authorization: nil)
            + findings(["aud": #""https://oauth2.googleapis.com/token""#], authorization: nil)
            + findings(
                [
                    "aud":
                        #""https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit""#
                ],
                authorization: nil
            )
            + findings(["iat": "1767225600000"])
            + [
                TokenInspection.inspect(
                    "<\(FakeToken(.server, issuedAt: .distantPast).text)>",
                    .init(),
                    now: .distantPast
                ).findings[0]
            ]
    }

    /// An access token of a server, and its refusal.
    private static func access() throws -> [TokenFinding] {
        let findings = TokenInspection.inspect(
            "ya29.a0AfH6SMBx",
            TokenInspection.Expectations(context: .server),
            now: now
        ).findings
        return findings + [findings.explanation(ofRefusalWith: 401)].compactMap(\.self)
    }

    /// Refusals because of a wrong clock.
    private static let clocks = [TokenFinding.Clock.service, .here].flatMap { clock in
        [
            TokenFinding.wrongClock(clock, breaking: .issuedAt, offset: .seconds(-900)),
            .wrongClock(clock, breaking: .expiry, offset: .seconds(900)),
        ]
    }

    /// What only the command line says: about tokens of servers and drivers, and where no trip was named.
    private static let notOnScreen: Set<TextKey> = [
        .verdictNotForServer, .remedyForServer, .verdictServerWildcard, .verdictNamedIDs, .verdictNoIdentity,
        .remedyNoIdentity, .verdictTripToken, .verdictServerNoAuthorization, .remedyServerNoAuthorization,
    ]

    @Test func `has a key for every verdict on a token, and no other`() throws {
        let findings =
            try Self.findings() + Self.misspelt() + Self.odd() + Self.access() + Self.signatures + Self.clocks
        let sentences = findings.flatMap { [$0.sentence] + ($0.remedy.map { [$0] } ?? []) }
        let first = try #require(TextKey.all.firstIndex(of: .verdictOAuthToken))
        let last = try #require(TextKey.all.firstIndex(of: .remedyOtherIdentity))
        #expect(Set(TextKey.all[first...last]).subtracting(sentences.map(\.key)) == Self.notOnScreen)
        let texts = Catalogue.file(.english)
        for sentence in sentences {
            let text = texts[sentence.key.rawValue] ?? ""
            let places = Set(text.matches(of: /\{\{(\w+)\}\}/).map { String($0.1) })
            #expect(places == Set(sentence.values.keys), "\(sentence.key)")
        }
    }

    @Test func `translates a verdict and leaves the claims as they are`() throws {
        let finding = try #require(try Self.findings(["exp": "1767225000"]).first { $0.rule == .expiry })
        #expect(finding.evidence == "It expired 10 min ago.")
        #expect(Localizer.english(finding.sentence) == finding.evidence)
        #expect(Localizer(.german)(finding.sentence) == "Sein Ablauf liegt 10 min zurück.")
        #expect(Localizer(.german, isASCII: true)(finding.sentence) == "Sein Ablauf liegt 10 min zurueck.")
        let hostile = TokenSentence(.verdictOtherAlgorithm, ["algorithm": .text("{{algorithm}} {{key}}")])
        #expect(Localizer(.german)(hostile) == "alg ist {{algorithm}} {{key}}, nicht RS256.")
    }

    @Test func `puts claims into the quotation marks of the language`() throws {
        let finding = try #require(try Self.findings().first { $0.rule == .keyID })
        #expect(finding.evidence == "kid is “k”.")
        #expect(Localizer(.german)(finding.sentence) == "kid ist „k“.")
        #expect(Localizer(.german, isASCII: true)(finding.sentence) == #"kid ist "k"."#)
    }

    @Test func `shows a caption in the language of the screen, or as the scenario has it`() {
        let translations = ["en": "The taxi comes.", "de": "Das Taxi kommt über die Brücke."]
        func caption(_ localizer: Localizer) -> String {
            localizer.caption("The taxi comes.", translations: translations)
        }
        #expect(caption(Localizer(.german)) == "Das Taxi kommt über die Brücke.")
        #expect(caption(Localizer(.german, isASCII: true)) == "Das Taxi kommt ueber die Bruecke.")
        #expect(caption(Localizer(.korean)) == "The taxi comes.")
        // A scenario with its own translations does not get those of the built-in scenarios.
        let known = "The rider has arrived."
        #expect(Localizer(.korean).caption(known, translations: ["en": known]) == known)
    }

    @Test func `translates a caption of a built-in scenario that has no translations of its own`() {
        let known = "The rider has arrived."
        #expect(Localizer(.german).caption(known) == "Der Fahrgast ist am Ziel.")
        #expect(Localizer(.korean).caption(known) == "승객이 도착했습니다.")
        #expect(Localizer(.korean, isASCII: true).caption(known) == known && Localizer.english.caption(known) == known)
        #expect(Localizer(.german).caption("The rider waits.") == "The rider waits.")
    }
}
