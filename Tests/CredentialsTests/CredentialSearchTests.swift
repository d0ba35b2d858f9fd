import Credentials
import Failures
import FleetTokens
import Foundation
import Testing
import TripTestSupport

@Suite("The search for Application Default Credentials", .ends(within: .quickTest))
struct CredentialSearchTests {
    private func found(_ scene: CredentialScene, file path: String? = nil) async throws -> FoundCredential {
        try await scene.source(path).resolved().found
    }

    @Test func `the variable comes before the file of gcloud, and that before the metadata server`() async throws {
        var scene = CredentialScene()
        scene.answers = [(CredentialScene.metadata, .metadata("p"))]
        let machine = try await found(scene)
        #expect(machine.place == .metadata(host: "metadata.google.internal"))
        #expect(machine.passedOver.map(\.reason) == [.unset, .noFile])

        scene.files[CredentialScene.adc] = CredentialScene.user
        let gcloud = try await found(scene)
        #expect(gcloud.place == .gcloud(path: CredentialScene.adc))
        #expect(gcloud.passedOver.map(\.place) == [CredentialSearch.variable])

        scene.files["/etc/key.json"] = CredentialScene.keyFile()
        scene.environment[CredentialSearch.variable] = "/etc/key.json"
        let variable = try await found(scene)
        #expect(variable.place == .variable(path: "/etc/key.json"))
        #expect(variable.project == "p")

        #expect(try await found(scene, file: CredentialScene.adc).place == .flag(path: CredentialScene.adc))
    }

    @Test func `an empty variable counts as unset`() async throws {
        var scene = CredentialScene()
        scene.environment[CredentialSearch.variable] = ""
        scene.files[CredentialScene.adc] = CredentialScene.user
        #expect(try await found(scene).place == .gcloud(path: CredentialScene.adc))
    }

    @Test func `the folder of gcloud can be elsewhere`() async throws {
        var scene = CredentialScene()
        scene.environment["CLOUDSDK_CONFIG"] = "/srv/gcloud"
        scene.files["/srv/gcloud/application_default_credentials.json"] = CredentialScene.user
        #expect(
            try await found(scene).place == .gcloud(path: "/srv/gcloud/application_default_credentials.json")
        )
    }

    @Test func `a broken file ends the search`() async throws {
        var scene = CredentialScene()
        scene.files[CredentialScene.adc] = "{}"
        scene.answers = [(CredentialScene.metadata, .metadata("p"))]
        await #expect(throws: Failure.self) { try await found(scene) }
        #expect(scene.sent.requests.isEmpty)
    }

    @Test func `the environment decides about projects before the file`() async throws {
        var scene = CredentialScene()
        scene.files[CredentialScene.adc] = CredentialScene.user
        #expect(try await found(scene).quotaProject == "q")
        scene.environment["GOOGLE_CLOUD_QUOTA_PROJECT"] = "other"
        scene.environment["GOOGLE_CLOUD_PROJECT"] = "mine"
        let credential = try await found(scene)
        #expect(credential.quotaProject == "other")
        #expect(credential.project == "mine")
    }

    @Test func `no file is needed to follow without credentials of the machine`() async throws {
        // The metadata server is searched only when the first token is needed.
        let scene = CredentialScene()
        _ = try await scene.source()
        #expect(scene.sent.requests.isEmpty)
    }

    @Test(arguments: ["127.0.0.1:8080", "http://127.0.0.1:8080", "http://127.0.0.1:8080/"])
    func `the host of a metadata server may have a scheme`(value: String) async throws {
        var scene = CredentialScene()
        scene.environment["GCE_METADATA_HOST"] = value
        scene.answers = [("GET http://127.0.0.1:8080", .metadata("p"))]
        #expect(try await found(scene).place == .metadata(host: "127.0.0.1:8080"))
    }
}
