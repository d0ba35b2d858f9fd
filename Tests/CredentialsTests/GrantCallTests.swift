import Credentials
import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
import Synchronization
import Testing
import TripModel
import TripTestSupport

@Suite("Calls that grant credentials", .ends(within: .quickTest))
struct GrantCallTests {
    private static let signed = CredentialScene.Answer.json(#"{"keyId":"k","signedJwt":"header.claims.signature"}"#)
    private static let generated = CredentialScene.Answer.json(
        #"{"accessToken":"ya29.generated","expireTime":"2026-01-01T01:00:00Z"}"#
    )

    /// Returns the calls of one fetch by a provider.
    private func calls(
        _ scene: CredentialScene,
        _ context: AuthorizationContext = .server,
        signing choice: TokenSigner.Choice = TokenSigner.Choice()
    ) async throws -> [Call] {
        let provider = TokenProvider(
            source: try await scene.source(signing: choice),
            clock: ManualClock(wall: CredentialScene.now),
            policy: .standard,
            seed: 1
        )
        let calls = Mutex<[Call]>([])
        provider.observe { event in calls.withLock { $0 += event.calls } }
        // The signature of this scene is no token, so that the provider refuses it.
        _ = try? await provider.token(for: context)
        await provider.close()
        return calls.withLock { $0 }
    }

    private func scene(_ file: String, _ answers: [(String, CredentialScene.Answer)]) -> CredentialScene {
        var scene = CredentialScene()
        scene.files[CredentialScene.adc] = file
        scene.answers = answers.map { (request: $0.0, answer: $0.1) }
        return scene
    }

    /// The names of the calls with the statuses of their answers.
    private func names(_ calls: [Call]) -> [String] {
        calls.map { call in
            [call.operation.rawValue, call.answer?.status.map(String.init), call.cause?.rawValue]
                .compactMap(\.self).joined(separator: " ")
        }
    }

    @Test func `a key file needs no grant`() async throws {
        #expect(names(try await calls(scene(CredentialScene.keyFile(), []))) == ["FetchToken needed"])
    }

    @Test func `a login is granted before the token`() async throws {
        let calls = try await calls(scene(CredentialScene.user, [(CredentialScene.tokenURL, CredentialScene.granted)]))
        #expect(names(calls) == ["GrantCredentials 200", "FetchToken needed"])
        #expect(calls.map(\.answerer) == [.credentials, .tokens])
        #expect(calls[0].request.url == "https://oauth2.googleapis.com/token")
        #expect(calls[0].answer?.body == nil)
        #expect(calls[0].failure == nil)
        #expect(CallFilter("to:credentials op:GrantCredentials").matches(calls[0]))
        #expect(!String(describing: calls[0].request).contains("refresh-token"))
    }

    @Test func `impersonation is two grants`() async throws {
        let answers = [(CredentialScene.tokenURL, CredentialScene.granted), (CredentialScene.iam, Self.generated)]
        let calls = try await calls(scene(CredentialScene.impersonated, answers))
        #expect(names(calls) == ["GrantCredentials 200", "GenerateAccessToken 200", "FetchToken needed"])
    }

    @Test func `a signature by IAM has the grant of its access token`() async throws {
        let answers = [(CredentialScene.tokenURL, CredentialScene.granted), (CredentialScene.iam, Self.signed)]
        let trip = AuthorizationContext.trip(try TripID("trip-1"))
        let choice = TokenSigner.Choice(account: CredentialScene.signer)
        let calls = try await calls(scene(CredentialScene.user, answers), trip, signing: choice)
        #expect(names(calls) == ["GrantCredentials 200", "SignJwt 200", "FetchToken needed"])
        #expect(calls.map(\.subject) == ["trip-1", "trip-1", "trip-1"])
    }

    @Test func `an exchange of another provider's identity is a grant`() async throws {
        var scene = scene(
            CredentialScene.external(#"{"file":"/var/run/token"}"#),
            [(CredentialScene.sts, CredentialScene.granted)]
        )
        scene.files["/var/run/token"] = CredentialScene.subject(expiringIn: 600) + "\n"
        #expect(names(try await calls(scene)) == ["GrantCredentials 200", "FetchToken needed"])
    }

    @Test func `a metadata server grants`() async throws {
        let path = "\(CredentialScene.metadata)/computeMetadata/v1/instance/service-accounts/default/token"
        var scene = CredentialScene()
        scene.answers = [
            (path, .metadata(#"{"access_token":"ya29.machine","expires_in":240}"#)),
            (CredentialScene.metadata, .metadata("")),
        ]
        #expect(names(try await calls(scene)) == ["GrantCredentials 200", "FetchToken needed"])
    }

    @Test func `each attempt after an outage is a call`() async throws {
        var scene = scene(CredentialScene.user, [])
        scene.rounds = [CredentialScene.tokenURL: [.json("{}", status: 503), CredentialScene.granted]]
        let calls = try await calls(scene)
        #expect(names(calls) == ["GrantCredentials 503", "GrantCredentials 200 retry", "FetchToken needed"])
        #expect(calls[0].failure?.code == .googleFailed)
        #expect(calls[1].failure == nil)
        #expect(calls[0].ended.wall < calls[1].started.wall)
    }

    @Test func `a refusal has the reason and the body of the answer`() async throws {
        let answer = CredentialScene.Answer.json(#"{"error":"invalid_grant"}"#, status: 400)
        let calls = try await calls(scene(CredentialScene.user, [(CredentialScene.tokenURL, answer)]))
        #expect(names(calls) == ["GrantCredentials 400", "FetchToken needed"])
        #expect(calls.allSatisfy { $0.failure != nil })
        #expect(
            calls[0].answer?.body.map { String(decoding: $0.bytes, as: UTF8.self) }?.contains("invalid_grant") == true
        )
    }
}
