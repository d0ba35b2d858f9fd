import FleetEmulator
import Foundation
import Runtime
import Testing
import TripTestSupport

@Suite("Emulated metadata server", .ends(within: .quickTest))
struct MetadataServerTests {
    private static let account = "instance/service-accounts/default"

    @Test func `serves what Google's libraries read, with the types and the header that they check`() async throws {
        let scene = try await CredentialScene()
        for (path, text) in [
            ("project/project-id", "p"), ("project/numeric-project-id", "123456789012"),
            ("universe/universe-domain", "googleapis.com"),
            (Self.account + "/email", "ondemandAdmin@p.iam.gserviceaccount.com"),
            (Self.account + "/scopes", CredentialScene.cloudPlatform + "\n"),
        ] {
            let answer = try await scene.metadata(path)
            #expect(answer.status == 200 && answer.text == text, "\(path)")
            #expect(answer.header("content-type") == "application/text")
            #expect(answer.header("metadata-flavor") == "Google")
        }
        let all = try await scene.metadata(Self.account + "/?recursive=true")
        #expect(all.json?["email"]?.string == "ondemandAdmin@p.iam.gserviceaccount.com")
        #expect(all.json?["aliases"] == .array([.string("default")]))
        #expect(all.header("content-type") == nil)
        let ping = try await scene.send("GET", CredentialScene.google + "/", headers: [("Metadata-Flavor", "Google")])
        #expect(ping.status == 200 && ping.header("metadata-flavor") == "Google")
        #expect(try await scene.metadata("instance/none").status == 404)
        #expect(try await scene.metadata("instance/service-accounts/x@y.z/email").status == 404)
    }

    @Test func `refuses requests without the header, and forwarded ones`() async throws {
        let scene = try await CredentialScene()
        let url = "\(CredentialScene.google)/computeMetadata/v1/project/project-id"
        let bare = try await scene.send("GET", url)
        #expect(bare.status == 403 && bare.text.contains("Metadata-Flavor"))
        let headers = [("Metadata-Flavor", "Google"), ("X-Forwarded-For", "10.0.0.1")]
        #expect(try await scene.send("GET", url, headers: headers).status == 403)
        #expect(try await scene.send("POST", url, headers: [("Metadata-Flavor", "Google")]).status == 405)
    }

    @Test func `returns the same token until 4 min before its expiry`() async throws {
        let scene = try await CredentialScene()
        func token() async throws -> (String?, Double?) {
            let json = try await scene.metadata(Self.account + "/token").json
            return (json?["access_token"]?.string, json?["expires_in"]?.number)
        }
        let first = try await token()
        #expect(first.1 == 3599)
        scene.clock.advance(by: .seconds(3358))
        let same = try await token()
        #expect(same.0 == first.0 && same.1 == 241)
        scene.clock.advance(by: .seconds(1))
        let next = try await token()
        #expect(next.0 != first.0 && next.1 == 3599)
        #expect(try await scene.trips(token: next.0 ?? "").status == 200)
    }

    @Test func `grants the requested scopes, as serverless platforms do`() async throws {
        let scene = try await CredentialScene()
        let path = Self.account + "/token?scopes=https://www.googleapis.com/auth/devstorage.read_only,openid"
        let token = try await scene.metadata(path).json?["access_token"]?.string ?? ""
        #expect(
            try await scene.trips(token: token).reason
                == "403 ACCESS_TOKEN_SCOPE_INSUFFICIENT fleetengine.googleapis.com"
        )
        #expect(try await scene.metadata(Self.account + "/token?scopes=x").status == 400)
    }

    @Test func `faults take away the account, the scopes and the header`() async throws {
        let scene = try await CredentialScene()
        try scene.fail("no-account")
        #expect(try await scene.metadata(Self.account + "/token").status == 404)
        #expect(try await scene.metadata("project/project-id").status == 200)
        scene.faults.clear()
        try scene.fail("narrow-scopes")
        let path = Self.account + "/token?scopes=\(CredentialScene.cloudPlatform)"
        let token = try await scene.metadata(path).json?["access_token"]?.string ?? ""
        #expect(try await scene.trips(token: token).status == 403)
        #expect(try await scene.metadata(Self.account + "/scopes").text.contains("devstorage.read_only"))
        scene.faults.clear()
        try scene.fail("no-metadata-header")
        #expect(try await scene.metadata("project/project-id").header("metadata-flavor") == nil)
        scene.faults.clear()
        for (kind, text) in [("iam-denied", "getAccessToken' denied"), ("iam-disabled", "has not been used")] {
            try scene.fail(kind)
            let answer = try await scene.metadata(Self.account + "/token")
            #expect(answer.status == 403)
            #expect(answer.text.hasPrefix("Unable to generate access token; IAM returned 403 Forbidden: "))
            #expect(answer.text.contains(text))
            scene.faults.clear()
        }
    }
}
