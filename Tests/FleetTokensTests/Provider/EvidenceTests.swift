import Failures
import FleetTokens
import Foundation
import Runtime
import Synchronization
import Testing
import TripModel
import TripTestSupport
import TripText

/// The evidence that is kept about rejected tokens and about the answers of their endpoint.
@Suite("Token evidence", .ends(within: .quickTest))
struct EvidenceTests {
    private let clock = ManualClock()
    private let trip: AuthorizationContext

    init() throws {
        trip = .trip(try TripID("trip-A"))
    }

    /// A provider over an endpoint that always answers the same.
    private func provider(
        status: Int = 200,
        headers: [(name: String, value: String)] = [("Content-Type", "application/json")],
        _ body: String,
        format: TokenAnswerFormat = TokenAnswerFormat()
    ) throws -> TokenProvider {
        let transport = HTTPTransport { _ throws(Failure) in
            HTTPTransportResponse(status: status, headers: headers, body: Array(body.utf8))
        }
        let template = try TokenURLTemplate("https://tokens.example/{tripId}")
        let source = HTTPTokenSource(template: template, transport: transport, format: format)
        return TokenProvider(source: source, clock: clock, seed: 1)
    }

    /// The error for the trip's token and the status after it.
    private func failure(of provider: TokenProvider) async -> (error: TokenError?, status: TokenStatus) {
        do throws(TokenError) {
            _ = try await provider.token(for: trip)
            return (nil, provider.status(of: trip))
        } catch {
            return (error, provider.status(of: trip))
        }
    }

    private func token(_ authorization: [String: String]?) -> String {
        var token = FakeToken(trip, issuedAt: clock.now().wall)
        token.authorization = authorization
        return token.text
    }

    @Test func `retains claims and the broken rule of a token for another trip, without its text`() async throws {
        let text = token(["tripid": "trip-B"])
        let (error, status) = await failure(of: try provider(#"{"jwt":"\#(text)","note":"ok"}"#))
        #expect(error?.failure.cause == .tokenBoundToAnother)
        let rejected = try #require(status.lastRejected)
        #expect(rejected.reason == .fault(.tokenBoundToAnother))
        #expect(rejected.claims?.tripID == "trip-B")
        #expect(rejected.findings.filter { $0.verdict == .broken }.map(\.rule) == [.identity])
        #expect(status.lastAnswer?.body == #"{"jwt":"<token>","note":"ok"}"#)
        var dumped = ""
        dump(status, to: &dumped)
        #expect(!dumped.contains("eyJ") && !dumped.contains(text.suffix(40)))
    }

    @Test(arguments: [
        ("providers/p/trips/trip-A", IDForm.resourceName, "full resource name"),
        ("//fleetengine.googleapis.com/providers/p/trips/trip-A", .resourceName, "full resource name"),
        ("trip%2DA", .percentEncoded, "percent-encoded"),
        ("providers%2Fp%2Ftrips%2Ftrip-A", .percentEncoded, "percent-encoded"),
        ("TRIP-a", .letterCase, "upper and lower case"),
    ])
    func `names the form of a claim that has the requested ID otherwise`(
        claim: String,
        form: IDForm,
        words: String
    ) async throws {
        let (error, status) = await failure(of: try provider(token(["tripid": claim])))
        #expect(error?.failure.cause == .tokenIDForm(form, claim: "tripid"))
        #expect(error?.failure.cause?.idForm == form)
        let finding = try #require(status.lastRejected?.findings.first { $0.rule == .identity })
        #expect(finding.verdict == .broken && finding.evidence.contains(words))
        #expect(finding.advice?.contains("tripid") == true)
    }

    @Test(arguments: ["trip-AB", "x/trip-A", "providers/p/trips/trip-B", "trip%2DB", "my-trip-A"])
    func `another ID is none in another form`(claim: String) async throws {
        let (error, _) = await failure(of: try provider(token(["tripid": claim])))
        #expect(error?.failure.cause == .tokenBoundToAnother)
    }

    @Test func `retains the endpoint's error body in readable form`() async throws {
        let plain = try provider(
            status: 500,
            headers: [("Content-Type", "text/plain"), ("Set-Cookie", "sid=secret"), ("Server", "nginx")],
            "IAM signBlob failed: permission denied"
        )
        let (_, status) = await failure(of: plain)
        #expect(status.lastAnswer?.status == 500)
        #expect(status.lastAnswer?.body == "IAM signBlob failed: permission denied")
        #expect(status.lastAnswer?.message == "IAM signBlob failed: permission denied")
        #expect(status.lastAnswer?.headers.map(\.name) == ["Content-Type", "Server"])
        let json = try provider(
            status: 401,
            #"{"error":{"message":"no session","code":7},"session_token":"abc","user":"u1","list":[1,true,null]}"#
        )
        let answer = try #require(await failure(of: json).status.lastAnswer)
        #expect(answer.message == "no session")
        let shown =
            #"{"error":{"message":"no session","code":7},"session_token":"<hidden>","user":"u1","list":[1,true,null]}"#
        #expect(answer.body == shown)
    }

    @Test func `hides the secrets of JSON that is written as a text`() async throws {
        let inner = #"{\"jwt\":\"eyJx\",\"session_token\":\"abc\",\"list\":[{\"password\":\"xyz\"}]}"#
        let answer = await failure(of: try provider(#"{"statusCode":200,"body":"\#(inner)"}"#))
        #expect(answer.error?.failure.cause == .sourceEncodedJSON(key: "body"))
        let body = try #require(answer.status.lastAnswer).body
        #expect(body.contains("session_token") && body.contains("<hidden>"), "\(body)")
        for secret in ["eyJx", "abc", "xyz"] { #expect(!body.contains(secret), "\(body)") }
    }

    @Test func `retains only the beginning of a body and removes its secrets`() async throws {
        let secret = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl"
        let body = "<html><p>Bearer \(secret) ya29.a0AfH6SMBx1234567890 </p>" + String(repeating: "word ", count: 5000)
        let answer = try #require(await failure(of: try provider(body)).status.lastAnswer)
        #expect(answer.body.count == TokenSourceAnswer.maximumBody)
        #expect(answer.body.hasPrefix("<html><p>Bearer <token> <token> </p>word"))
        #expect(answer.bytes == body.utf8.count)
        #expect(answer.message == nil)
    }

    /// Ways in which an endpoint may write a text.
    enum Writing: CaseIterable {
        case utf16LittleEndian
        case utf16BigEndian
        case wrapped
        case spaced
        case percentEncoded
        case listed

        func bytes(of text: String) -> [UInt8] {
            let chunks = stride(from: 0, to: text.count, by: 12).map { String(text.dropFirst($0).prefix(12)) }
            switch self {
            case .utf16LittleEndian: return [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            case .utf16BigEndian: return [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            case .wrapped: return Array("Denied:\n\(chunks.joined(separator: "\r\n"))\nBye".utf8)
            case .spaced: return Array(text.map(String.init).joined(separator: " ").utf8)
            case .percentEncoded: return Array(text.utf8.map { "%" + String($0, radix: 16) }.joined().utf8)
            case .listed: return Array(#"{"parts":["\#(chunks.joined(separator: #"",""#))"]}"#.utf8)
            }
        }
    }

    @Test(arguments: Writing.allCases, [200, 401])
    func `shows no secret, however the endpoint writes it`(writing: Writing, status: Int) {
        let secrets = [
            "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl", "AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY",
            "ya29.a0AfH6SMBx-7Qk9vLw2nRt8YbZc4HdE",
        ]
        for secret in secrets {
            let answer = TokenSourceAnswer(
                status: status,
                headers: [],
                body: writing.bytes(of: secret),
                tokenKey: "jwt"
            )
            let shown = (answer.body + (answer.message ?? "")).filter { $0.isLetter || $0.isNumber }
            let letters = secret.filter { $0.isLetter || $0.isNumber }
            for start in 0..<(letters.count - 12) {
                #expect(!shown.contains(letters.dropFirst(start).prefix(12)), "\(shown)")
            }
        }
    }

    @Test func `shows an error message in UTF-16 and one with many lines`() {
        for text in ["permission denied for this account", "no token\nfor\nthis trip: see page 12 of the manual"] {
            for body in [Array(text.utf8), Writing.utf16BigEndian.bytes(of: text).dropFirst(2) + []] {
                let answer = TokenSourceAnswer(status: 401, headers: [], body: body, tokenKey: "jwt")
                #expect(answer.message == text)
            }
        }
    }

    @Test func `retains the words of an endpoint that answers an error of its own with status 200`() {
        for (body, words) in [
            (#"{"errorType":"Error","errorMessage":"Task timed out"}"#, "Task timed out"),
            (#"{"success":false,"msg":"Trip not found"}"#, "Trip not found"),
        ] {
            let answer = TokenSourceAnswer(status: 200, headers: [], body: Array(body.utf8), tokenKey: "jwt")
            #expect(answer.message == words)
        }
    }

    @Test func `reports a missing key with the existing keys, the one that holds a token first`() async throws {
        let text = token(["tripid": "trip-A"])
        let body = #"{"expires_in":3300,"type":"Bearer","data":{"id":"7","jwt":"\#(text)"}}"#
        let (error, _) = await failure(of: try provider(body, format: TokenAnswerFormat(tokenKey: "access_token")))
        let known = error?.failure.cause?.values["known"]
        #expect(known == .texts(["data.jwt", "type", "data.id"]))
    }

    @Test(arguments: ["tripId", "TripID", "trip_id", "TRIPID"])
    func `names a misspelled tripid claim`(name: String) async throws {
        let (error, status) = await failure(of: try provider(token([name: "trip-A"])))
        #expect(error?.failure.cause == .tokenMisspelledClaim(name, meant: "tripid"))
        let finding = try #require(status.lastRejected?.findings.first { $0.rule == .identity })
        #expect(finding.evidence.contains(name) && finding.evidence.contains("spelled tripid"))
    }

    @Test(arguments: [
        ("ya29.a0AfH6SMBxabcdefghijklmnopqrstuvwxyz", CredentialKind.oauthAccessToken),
        ("AIzaSyA-1234567890abcdefghijklmnopqrstu", .apiKey),
        ("s%3AKx7rTq.abcdef0123456789", .sessionCookie),
        ("session=abc123; Path=/; HttpOnly", .sessionCookie),
    ])
    func `names a credential of another kind`(text: String, kind: CredentialKind) async throws {
        for body in [#"{"jwt":"\#(text)"}"#, text] {
            let (error, status) = await failure(of: try provider(body))
            #expect(error?.failure.cause == .otherCredential(kind))
            #expect(error?.code == "unusable.\(kind.rawValue)")
            #expect(status.lastRejected?.findings.first?.verdict == .broken)
            if body != text { #expect(status.lastAnswer?.body == #"{"jwt":"<token>"}"#) }
        }
    }

    @Test(arguments: [
        ("https://accounts.google.com", "app.example", CredentialKind.idToken),
        ("https://securetoken.google.com/p", "p", .idToken),
        ("https://login.microsoftonline.com/x/v2.0", "api://app", .idToken),
        ("https://session.firebase.google.com/p", "p", .sessionCookie),
        (
            "a@p.iam.gserviceaccount.com",
            "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit",
            .firebaseCustomToken
        ),
        ("a@p.iam.gserviceaccount.com", "https://oauth2.googleapis.com/token", .oauthAssertion),
    ])
    func `names a JWT for another purpose`(issuer: String, audience: String, kind: CredentialKind) async throws {
        let claims = #"{"iss":"\#(issuer)","aud":"\#(audience)","sub":"1","iat":1,"exp":99999999999}"#
        let parts = [#"{"alg":"RS256","kid":"k"}"#, claims, String(repeating: "s", count: 256)]
        let text = parts.map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
        let (error, _) = await failure(of: try provider(text))
        #expect(error?.failure.cause == .otherCredential(kind))
    }

    @Test func `retains the same evidence for a token refused by the service as for one refused by the provider`()
        async throws
    {
        let scene = try TokenScene()
        let token = try await scene.provider.token(for: scene.trip)
        scene.provider.reject(token, for: scene.trip, status: 403)
        let rejected = try #require(scene.provider.status(of: scene.trip).lastRejected)
        #expect(rejected.reason == .service(status: 403))
        #expect(rejected.claims?.tripID == "trip-A")
        #expect(rejected.fingerprint == token.fingerprint)
    }

    @Test(arguments: [
        ("http://127.0.0.1:8087/{tripId}", "connection refused by 127.0.0.1:8087"),
        ("https://tokens.example/{tripId}", "connection refused by tokens.example:443"),
        ("http://[::1]/{tripId}", "connection refused by [::1]:80"),
    ])
    func `names host and port of a refused connection`(url: String, reason: String) async throws {
        let transport = HTTPTransport { _ throws(Failure) in throw .refused }
        let source = HTTPTokenSource(template: try TokenURLTemplate(url), transport: transport)
        await #expect(throws: Failure.sourceUnreachable(reason: reason)) {
            try await source.fetch(trip, reason: .needed)
        }
    }

    @Test func `retains the exchange of the last fetch, with the body of an answer without a token`() async throws {
        let answers = Locked<[String]>(["<html><title>Log in</title></html>", #"{"jwt":1}"#, ""])
        let request = Exchange.Request(method: "GET", url: "https://tokens.example", headerNames: [], bytes: 0)
        let transport = HTTPTransport { _ throws(Failure) in
            let body = answers.withLock { $0.removeFirst() }
            guard !body.isEmpty else {
                throw .refused.with(Exchange(.http, request, duration: .zero, ending: .failed(.refused)))
            }
            let answer = Exchange.Answer(status: 200, headers: [], body: Array(body.utf8))
            let exchange = Exchange(.http, request, answer: answer, duration: .zero, ending: .complete)
            return HTTPTransportResponse(status: 200, body: Array(body.utf8), exchange: exchange)
        }
        let template = try TokenURLTemplate("https://tokens.example/{tripId}")
        let source = HTTPTokenSource(template: template, transport: transport)
        let recorder = TokenAnswerRecorder()
        func fetched() async throws -> Exchange? {
            _ = try? await source.fetch(trip, reason: .needed, recording: recorder)  // no answer has a token
            return recorder.exchange
        }
        #expect(try await fetched()?.answer?.body?.message == "Log in")
        #expect(try await fetched()?.answer?.body?.content == .text(#"{"jwt":1}"#))
        #expect(try await fetched()?.ending == .failed(.refused))

        answers.withLock { $0 = ["not a token"] }
        let provider = TokenProvider(source: source, clock: clock, seed: 1)
        #expect(await failure(of: provider).status.lastExchange?.answer?.body?.message == "not a token")
    }

    @Test func `limits the evidence to the last 256 keys`() async throws {
        let provider = try provider(status: 500, "down")
        for number in 0..<400 {
            let key = AuthorizationContext.trip(try TripID("t\(number)"))
            _ = try? await provider.token(for: key)  // it fails, which is what is to be kept
        }
        let retained = try (0..<400).count { provider.status(of: .trip(try TripID("t\($0)"))).lastAnswer != nil }
        #expect(retained == 256)
        #expect(provider.status(of: .trip(try TripID("t399"))).lastAnswer?.body == "down")
    }
}
