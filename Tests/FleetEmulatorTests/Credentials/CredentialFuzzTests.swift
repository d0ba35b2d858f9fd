import Failures
import FleetEmulator
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Credential endpoints: hostile requests", .ends(within: .quickTest))
struct CredentialFuzzTests {
    private static let grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3A"
    private static let requests = [
        ("/token", "grant_type=refresh_token&client_id=a&client_secret=b&refresh_token=c&scope=openid+x"),
        ("/token", "grant_type=\(grant)jwt-bearer&assertion=eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ4IiwiZXhwIjoxZTMwOH0.AAAA"),
        (
            "/v1/token",
            "grant_type=\(grant)token-exchange&requested_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token"
                + "&audience=%2F%2Fiam.googleapis.com%2Fprojects%2F123456789012%2Flocations%2Fglobal%2Fworkload"
                + "IdentityPools%2Femulator-pool%2Fproviders%2Femulator-aws&scope=openid"
                + "&subject_token_type=urn%3Aietf%3Aparams%3Aaws%3Atoken-type%3Aaws4_request&subject_token=%257B%2522url"
                + "%2522%253A%2522https%253A%252F%252Fsts.x.amazonaws.com%253FAction%253D1%2522%257D"
        ),
        ("/v1/projects/-/serviceAccounts/server@p.iam.gserviceaccount.com:signJwt", #"{"payload":"{\"exp\":1e308}"}"#),
        (
            "/v1/projects/-/serviceAccounts/server@p.iam.gserviceaccount.com:signBlob",
            #"{"payload":"e30=","delegates":[]}"#
        ),
        (
            "/v1/projects/-/serviceAccounts/server@p.iam.gserviceaccount.com:generateAccessToken",
            #"{"scope":["openid"],"lifetime":"3600.5s","delegates":["projects/-/serviceAccounts/x"]}"#
        ),
        ("/computeMetadata/v1/instance/service-accounts/default/token?scopes=openid,x", ""),
        ("/computeMetadata/v1/instance/service-accounts/default/?recursive=true", ""),
        ("/subject-token?x=1", ""), ("/latest/meta-data/iam/security-credentials/x", ""), ("/v1/oauthtoken", "x"),
    ]
    private static let spices = Array(#"{}[]",:0-9e./%?&=~+ "#.utf8) + [0, 0x7F, 0xC3, 0xFF]

    private static func mutated(_ text: String, _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes.remove(at: place)
            case 1: bytes.insert(spices.randomElement(using: &random) ?? 0, at: place)
            default: bytes[place] = spices.randomElement(using: &random) ?? 0
            }
        }
        return bytes
    }

    @Test func `answers each of 4,000 damaged requests, and none with a 5xx status`() async throws {
        let scene = try await CredentialScene()
        let token = try await scene.userToken()
        var random = SeededGenerator(seed: 45)
        var statuses: [Int: Int] = [:]
        for number in 0..<4000 {
            let (path, body) = Self.requests.randomElement(using: &random) ?? ("/", "")
            let target = String(decoding: Self.mutated(path, &random), as: UTF8.self)
            let request = HTTPTransportRequest(
                method: body.isEmpty ? "GET" : "POST",
                url: CredentialScene.google + target,
                headers: [
                    ("authorization", Bool.random(using: &random) ? "Bearer \(token)" : "Basic eDp5"),
                    ("metadata-flavor", "Google"), ("metadata", "true"),
                ],
                body: Self.mutated(body, &random),
                timeout: .testTimeout
            )
            do throws(Failure) {
                let status = try await scene.router.transport.send(request).status
                statuses[status, default: 0] += 1
                #expect((200..<500).contains(status), "request \(number): \(status)")
            } catch {
                // A target that is not a path is not answered here; the HTTP listener answers it with 400.
                #expect(error == .malformed(reason: "not a path"), "request \(number)")
            }
        }
        for status in [200, 400, 401, 403, 404] { #expect(statuses[status] != nil, "\(status)") }
    }

    @Test func `forgets the access tokens that expire first when there are too many`() async throws {
        let scene = try await CredentialScene()
        let first = try await scene.userToken()
        scene.clock.advance(by: .seconds(1))
        for _ in 0..<4096 { _ = try await scene.userToken() }
        let last = try await scene.userToken()
        #expect(try await scene.trips(token: first, quotaProject: "p").status == 401)
        #expect(try await scene.trips(token: last, quotaProject: "p").status == 200)
    }
}
