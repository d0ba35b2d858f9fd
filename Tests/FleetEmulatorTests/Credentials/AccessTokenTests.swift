import FleetEmulator
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

/// What the service does with access tokens, and with JWTs that have scopes instead of an audience.
@Suite("Access tokens", .ends(within: .quickTest))
struct AccessTokenTests {
    private static func message(_ answer: CredentialScene.Answer) -> String {
        "\(answer.status) \(answer.json?["error"]?["message"]?.string ?? "")"
    }

    @Test func `the role of the account decides, because a token has no claims`() async throws {
        let scene = try await CredentialScene()
        let admin = try await scene.accountToken("ondemandAdmin")
        #expect(try await scene.trips(token: admin).status == 200)
        for role in ["consumer", "driver", "server"] {
            let answer = try await scene.trips(token: try await scene.accountToken(role))
            #expect(Self.message(answer) == "403 JWT does not contain any scopes.", "\(role)")
        }
    }

    @Test func `a person needs a quota project`() async throws {
        let scene = try await CredentialScene()
        let token = try await scene.userToken()
        let answer = try await scene.trips(token: token)
        #expect(answer.reason == "403 SERVICE_DISABLED projects/764086051850")
        #expect(Self.message(answer).contains("requires a quota project"))
        #expect(try await scene.trips(token: token, quotaProject: "p").status == 200)
        #expect(try await scene.trips(token: token, quotaProject: "q").reason == "403 USER_PROJECT_DENIED projects/q")
    }

    @Test func `the older role for servers may not name a quota project`() async throws {
        let scene = try await CredentialScene()
        let server = try await scene.router.operatorToken()
        #expect(try await scene.trips(token: server).status == 200)
        let answer = try await scene.trips(token: server, quotaProject: "p")
        #expect(answer.reason == "403 USER_PROJECT_DENIED projects/p")
        let admin = try await scene.accountToken("ondemandAdmin")
        #expect(try await scene.trips(token: admin, quotaProject: "p").status == 200)
    }

    @Test func `unknown, expired and narrow tokens are distinguished`() async throws {
        let scene = try await CredentialScene()
        #expect(try await scene.trips(token: "ya29.x").reason == "401")
        let iam = try await scene.accountToken("ondemandAdmin", scope: "https://www.googleapis.com/auth/iam")
        #expect(
            try await scene.trips(token: iam).reason
                == "403 ACCESS_TOKEN_SCOPE_INSUFFICIENT fleetengine.googleapis.com"
        )
        let admin = try await scene.accountToken("ondemandAdmin")
        scene.clock.advance(by: .seconds(3600))
        #expect(try await scene.trips(token: admin).reason == "401 ACCESS_TOKEN_EXPIRED fleetengine.googleapis.com")
    }

    @Test func `the fault lifetime shortens access tokens`() async throws {
        let scene = try await CredentialScene()
        let fault = try Fault(.credentials, "lifetime", ["seconds": .number(5)])
        scene.faults.add(fault, at: scene.clock.now().wall)
        let answer = try await scene.post("/token", try scene.refresh())
        #expect(answer.json?["expires_in"]?.number == 5)
        let token = try #require(answer.json?["access_token"]?.string)
        scene.clock.advance(by: .seconds(6))
        #expect(try await scene.trips(token: token, quotaProject: "p").status == 401)
    }

    @Test func `a self-signed JWT may have scopes instead of an audience`() async throws {
        let scene = try await CredentialScene()
        func answer(_ role: String, scope: String, audience: String? = nil) async throws -> String {
            let suffix = role == "ondemandAdmin" ? "" : "_\(role)"
            let file = try scene.file("service_account\(suffix).json")
            let email = "\(role)@p.iam.gserviceaccount.com"
            let now = scene.clock.now().wall.timeIntervalSince1970.rounded(.down)
            let claims = TestClaims(iss: email, sub: email, aud: audience, scope: scope, iat: now, exp: now + 3600)
            return Self.message(try await scene.trips(token: try await claims.signed(with: file)))
        }
        let scope = CredentialScene.cloudPlatform
        #expect(try await answer("ondemandAdmin", scope: scope) == "200 ")
        #expect(try await answer("ondemandAdmin", scope: "openid").hasPrefix("403 Request had insufficient"))
        #expect(try await answer("server", scope: scope) == "403 JWT does not contain any scopes.")
        #expect(try await answer("ondemandAdmin", scope: scope, audience: "https://example.com/").hasPrefix("401"))
    }

    @Test func `files are marked, so that files of a user are distinguished from an emulator's`() async throws {
        let scene = try await CredentialScene()
        let credentials = scene.router.credentials(at: "google.test")
        let files = try await credentials.files(in: "/a 'b'") + credentials.subjectFiles(at: scene.clock.now().wall)
        #expect(Set(files.map(\.name)) == Set(CredentialFile.names))
        for file in files { #expect(CredentialFile.isWrittenByEmulator(file.name, file.bytes), "\(file.name)") }
        for name in CredentialFile.names {
            #expect(!CredentialFile.isWrittenByEmulator(name, Array(#"{"type":"service_account"}"#.utf8)), "\(name)")
        }
        let command = try scene.file("external_account_executable.json")["credential_source"]?["executable"]?["command"]
        #expect(command?.string == "/bin/sh /folder/subject-token.sh")
        let script = try #require(credentials.files(in: "/a 'b'").first { $0.name == "subject-token.sh" })
        let text = String(decoding: script.bytes, as: UTF8.self)
        #expect(text.hasSuffix("exec cat '/a '\\''b'\\''/subject-token.json'\n"))
    }
}
