import Failures
import FleetTokens
import Foundation
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import TripText

/// What is said about a token that the service refuses.
@Suite("Refused tokens", .ends(within: .quickTest))
struct RefusalTests {
    private func claims(_ issuer: String, _ context: AuthorizationContext) throws -> TokenClaims {
        var claims = try TokenClaims(token: FakeToken(context, issuedAt: Date(timeIntervalSince1970: 1000)).text)
        (claims.issuer, claims.keyID) = (issuer, "k1")
        return claims
    }

    private func sentences(_ claims: TokenClaims, isChecked: Bool = false) -> [String] {
        RefusalCauses(of: claims, isSignatureChecked: isChecked, localizer: .english).sentences
    }

    @Test func `a message names the command that distinguishes suspects once`() {
        var message = UserMessage("short", "what", "Do this.")
        let suspects = [Diagnosis.Suspect(.serviceAccount, .possible), Diagnosis.Suspect(.network, .possible)]
        // A failure is diagnosed, and so is its consequence.
        for _ in 0..<2 { message.blame(Diagnosis(suspects, check: "tripshare doctor t"), .english) }
        #expect(message.advice?.components(separatedBy: "`tripshare doctor t`").count == 2)
        #expect(message.last.advice?.components(separatedBy: "`tripshare doctor t`").count == 2)
    }

    @Test func `a token without a fault may be refused for its key, its project or its role`() throws {
        let trip = AuthorizationContext.trip(try TripID("t"))
        let found = sentences(try claims("signer@my-project.iam.gserviceaccount.com", trip))
        #expect(found.count == 3)
        #expect(found[0].contains("metadata/x509/signer@my-project.iam.gserviceaccount.com") && found[0].contains("k1"))
        #expect(found[1].contains("--provider-id must be my-project"))
        #expect(found[2].contains("roles/fleetengine.consumerSdkUser"))
        #expect(found[2].contains("gcloud projects get-iam-policy my-project "))
    }

    @Test(arguments: [
        ("http://127.0.0.1:8091/x/{email}", "`curl http://127.0.0.1:8091/x/a@p.iam.gserviceaccount.com`"),
        ("https://h.example/x?a={email}&b=1", "`curl 'https://h.example/x?a=a@p.iam.gserviceaccount.com&b=1'`"),
        ("https://h.example/{email}?key=s3cr3t", "`curl 'https://h.example/a@p.iam.gserviceaccount.com?key=<hidden>'`"),
    ])
    func `the command for the keys names the URL from which the certificates were requested`(
        url: String,
        command: String
    ) throws {
        let token = try claims("a@p.iam.gserviceaccount.com", .trip(try TripID("t")))
        let causes = RefusalCauses(
            of: token,
            isSignatureChecked: false,
            certificatesURL: url,
            localizer: .english
        ).sentences
        #expect(causes[0].contains(command), "\(causes[0])")
        #expect(!causes[0].contains("googleapis") && !causes[0].contains("s3cr3t"), "\(causes[0])")
    }

    @Test func `the role is that of the token's kind, and a checked signature needs no key`() throws {
        let vehicle = AuthorizationContext.vehicle(try VehicleID("v"))
        let driver = sentences(try claims("a@p.iam.gserviceaccount.com", vehicle), isChecked: true)
        #expect(driver.count == 2 && driver[1].contains("roles/fleetengine.driverSdkUser"))
        var server = try claims("a@p.iam.gserviceaccount.com", vehicle)
        server.wildcards = ["tripid"]
        #expect(sentences(server).last?.contains("roles/fleetengine.serviceSuperUser") == true)
    }

    @Test(arguments: Language.allCases)
    func `an access token that is refused is no JWT in any language, and has four possible causes`(
        language: Language
    ) throws {
        let text = "ya29.a0AfH6SMBxabcdefghijklmnopqrstuvwxyz"
        let inspection = TokenInspection.inspect(text, .init(context: .server), now: Date(timeIntervalSince1970: 0))
        let finding = try #require(inspection.explanation(ofRefusalWith: 401))
        let failure = Failure.refusedToken(
            ServiceAnswer(httpStatus: 401, status: "UNAUTHENTICATED"),
            because: finding,
            retryAfter: nil
        )
        let localizer = Localizer(language)
        for message in [
            UserMessage(failure, searching: try ProviderID("p"), host: "h", localizer: localizer),
            UserMessage(failure, nil, journey: try .trip(TripID("t")), host: "h", localizer: localizer),
        ] {
            let words = message.lines(localizer).joined(separator: " ")
            #expect(!words.contains("JWT") && !words.contains("token inspect"), "\(words)")
            #expect(message.suspects.allSatisfy { $0.strength == .possible }, "\(message.suspects)")
            #expect(Set(message.suspects.map(\.party)) == [.commandLine, .serviceAccount])
            guard language == .english else { continue }
            for cause in ["expired", "revoked", "unknown to this service", "not permitted"] {
                #expect(words.contains(cause), "\(words)")
            }
        }
    }

    @Test(arguments: ["", "my-backend", "a@p.iam.gserviceaccount.com; rm -rf ~", "-o@p", "a@p'$(x)"])
    func `no command contains an address that a shell could run`(issuer: String) throws {
        let trip = AuthorizationContext.trip(try TripID("t"))
        #expect(sentences(try claims(issuer, trip)).isEmpty)
    }

    @Test func `an account of Google's own form has no project in its name`() throws {
        let trip = AuthorizationContext.trip(try TripID("t"))
        let found = sentences(try claims("123-compute@developer.gserviceaccount.com", trip))
        #expect(found.count == 2 && found[1].contains("must belong to the project of --provider-id"))
    }

    private func refused(_ status: Int, satisfying satisfied: Set<TokenRule>?) throws -> UserMessage {
        let name = status == 401 ? "UNAUTHENTICATED" : "PERMISSION_DENIED"
        var failure = Failure(
            status == 401 ? .unauthorized : .forbidden,
            answer: ServiceAnswer(httpStatus: status, status: name),
            retryAfter: nil
        )
        failure.satisfiedRules = satisfied
        return UserMessage(failure, nil, journey: try .trip(TripID("t")), host: "h")
    }

    /// The rules that a refused token keeps, the words of the causes that remain, and those that are refuted.
    @Test(
        arguments: [
            (401, nil, ["expired", "signing key", "no trip ID", "token inspect"], []),
            (401, [], ["expired", "signing key", "no trip ID"], ["token inspect"]),
            (401, [.expiry, .authorization, .identity], ["signing key"], ["expired", "no trip ID"]),
            (401, [.expiry, .signature], ["no trip ID"], ["expired", "signing key"]),
            (
                401, [.expiry, .signature, .authorization, .identity], ["cause is unknown"],
                ["expired", "trip ID", "key"]
            ),
            (403, nil, ["another trip", "consumer role", "API", "token inspect"], ["expired"]),
            (403, [.identity, .signature], ["consumer role", "API"], ["another trip", "token inspect"]),
        ] as [(Int, Set<TokenRule>?, [String], [String])]
    )
    func `the possible causes of a refusal are those that no check of the token refutes`(
        status: Int,
        satisfied: Set<TokenRule>?,
        possible: [String],
        refuted: [String]
    ) throws {
        let advice = try #require(try refused(status, satisfying: satisfied).advice)
        for word in possible { #expect(advice.contains(word), "\(advice)") }
        for word in refuted { #expect(!advice.contains(word), "\(advice)") }
    }

    @Test func `an API whose project was answered is not said to be off`() throws {
        let answer = ServiceAnswer(httpStatus: 403, status: "PERMISSION_DENIED")
        let failure = Failure(.forbidden, answer: answer, retryAfter: nil).with(History(hasAnswer: true))
        let advice = try #require(UserMessage(failure, nil, journey: try .trip(TripID("t")), host: "h").advice)
        #expect(advice.contains("consumer role") && !advice.contains("API"), "\(advice)")
    }

    @Test func `a new token that was refused and satisfies its rules has none of their causes`() throws {
        var status = TokenStatus(source: "test")
        status.lastRejected = RejectedToken(
            at: Date(timeIntervalSince1970: 0),
            reason: .service(status: 401),
            claims: nil,
            findings: [
                .satisfied(.expiry, .verdictValid), .satisfied(.issuedAt, .verdictIssued),
                .satisfied(.signature, .verdictPublicKey),
            ],
            fingerprint: "0"
        )
        let failure = TokenError.rejectedByService(status: 401, retryAfter: .zero).failure
        let message = UserMessage(noToken: failure, status, for: "trip t")
        #expect(message.advice == "The cause is unknown.")
        #expect(!message.lines().joined().contains("A newer token will not help"))
    }

    @Test func `a search that is refused is not said to lack a trip ID`() throws {
        let answer = ServiceAnswer(httpStatus: 401, status: "UNAUTHENTICATED")
        let failure = Failure(.unauthorized, answer: answer, retryAfter: nil)
        let advice = try #require(UserMessage(failure, searching: try ProviderID("p"), host: "h").advice)
        #expect(advice.contains("expired") && !advice.contains("trip ID"), "\(advice)")
    }

    @Test func `the satisfied rules of a refused token are recorded`() throws {
        var failure = Failure(.unauthorized, answer: ServiceAnswer(httpStatus: 401), retryAfter: nil)
        failure.satisfiedRules = [.expiry, .signature]
        let read = try JSONDecoder().decode(Failure.self, from: try JSONEncoder().encode(failure))
        #expect(read.satisfiedRules == [.expiry, .signature] && read == failure)
    }

    @Test func `the rule that explains the refusal of a new token is part of the message`() throws {
        var status = TokenStatus(source: "test")
        let broken = TokenFinding(
            .keyID,
            .broken,
            TokenSentence(.verdictNoKeyID),
            advice: TokenSentence(.remedyKeyID)
        )
        status.lastRejected = RejectedToken(
            at: Date(timeIntervalSince1970: 0),
            reason: .service(status: 401),
            claims: nil,
            findings: [broken],
            fingerprint: "0"
        )
        let failure = TokenError.rejectedByService(status: 401, retryAfter: .zero).failure
        let message = UserMessage(noToken: failure, status, for: "trip t")
        #expect(message.what.contains(": " + Localizer.english(broken.sentence).dropLast()))
        #expect(message.suspects == [Diagnosis.Suspect(.serviceAccount, .proven)])
        status.lastRejected = nil
        #expect(UserMessage(noToken: failure, status, for: "trip t").suspects.first?.strength == .likely)
    }
}
