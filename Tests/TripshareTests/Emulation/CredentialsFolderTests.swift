import Failures
import FleetEmulator
import FleetTokens
import Foundation
import Testing
import TransportLive
import TripModel
import TripTestSupport

@testable import tripshare

/// `tripshare emulate --credentials-folder`.
@Suite("Credentials folder", .ends(within: .longTest))
struct CredentialsFolderTests {
    private static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `has a file of each type for its owner only, as long as the emulator runs`() async throws {
        try await Program.withFolder { folder in
            let path = folder.appending(path: "credentials").path
            try await EmulatedEngine.run(["--credentials-folder", path]) { _, object in
                #expect(object["credentialsFolder"] as? String == path)
                let names = try FileManager.default.contentsOfDirectory(atPath: path)
                #expect(Set(names) == Set(CredentialFile.names))
                #expect(try Self.mode(path) == 0o700)
                for name in names { #expect(try Self.mode("\(path)/\(name)") == 0o600, "\(name)") }
                let base = try #require(object["iamURL"] as? String)
                #expect(object["oauthTokenURL"] as? String == base + "/token")
                #expect(object["stsURL"] as? String == base + "/v1/token")
                #expect((object["metadataHost"] as? String).map { "http://" + $0 } == base)
                #expect((object["certificatesURL"] as? String)?.hasPrefix(base) == true)
            }
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func `retains a folder that existed, and the other files in it`() async throws {
        try await Program.withFolder { folder in
            let other = folder.appending(path: "notes.txt")
            try Data("x".utf8).write(to: other)
            try await EmulatedEngine.run(["--credentials-folder", folder.path]) { _, object in
                #expect(object["credentialsFolder"] as? String == folder.path)
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names.filter { CredentialFile.names.contains($0) } == [])
            #expect(names.contains("notes.txt"))
        }
    }

    @Test func `replaces what a killed emulator has left, and nothing else`() async throws {
        try await Program.withFolder { folder in
            let left = folder.appending(path: "authorized_user.json")
            try Data(#"{"type":"authorized_user","tripshare_emulator":"x"}"#.utf8).write(to: left)
            try await EmulatedEngine.run(["--credentials-folder", folder.path]) { _, _ in
                let text = try String(contentsOf: left, encoding: .utf8)
                #expect(text.contains("refresh_token"))
            }
            for name in ["service_account.json", "subject-token", "subject-token.sh"] {
                let real = folder.appending(path: name)
                let content = Data(#"{"type":"service_account"}"#.utf8)
                try content.write(to: real)
                let run = try await Program.run(["emulate", "--credentials-folder", folder.path])
                #expect(run.status == 74, "\(run.errors)")
                #expect(run.errors.contains(name) && run.errors.contains("was not written by an emulator"))
                #expect(try Data(contentsOf: real) == content)
                try FileManager.default.removeItem(at: real)
            }
            let file = folder.appending(path: "notes.txt").path
            try Data("x".utf8).write(to: URL(fileURLWithPath: file))
            for path in [file, file + "/x", "/nonexistent/a/b"] {
                let run = try await Program.run(["emulate", "--credentials-folder", path])
                #expect(run.status == 74, "\(path): \(run.errors)")
            }
        }
    }

    @Test func `renews the subject token in the emulator's time`() async throws {
        try await Program.withFolder { folder in
            try await EmulatedEngine.run(["--credentials-folder", folder.path]) { _, object in
                let file = folder.appending(path: "subject-token")
                let first = try String(contentsOf: file, encoding: .utf8)
                let url = try #require(object["controlURL"] as? String) + "/clock"
                let status = try await withLiveHTTPTransport { transport in
                    let request = HTTPTransportRequest(
                        method: "POST",
                        url: url,
                        headers: [("content-type", "application/json")],
                        body: Array(#"{"stepSeconds":1900}"#.utf8),
                        timeout: .testTimeout
                    )
                    return try await transport.send(request).status
                }
                #expect(status == 200)
                let next = try TokenClaims(token: try await FileArrival.text(of: file, otherThan: first))
                let before = try #require(try TokenClaims(token: first).expirySeconds)
                #expect(try #require(next.expirySeconds) >= before + 1800)
            }
        }
    }

    @Test func `renews a token that was due before the renewal began`() async throws {
        try await Program.withFolder { folder in
            let clock = ManualClock()
            let router = RequestRouter(
                FleetService(.world(World(provider: try ProviderID("p")))),
                keys: try await EmulatorKeys(),
                options: EmulatorOptions(),
                clock: clock,
                faults: FaultInjector()
            )
            let credentials = router.credentials(at: "127.0.0.1:1")
            let files = try CredentialsFolder(folder.path)
            let written = clock.now()
            try await files.write(credentials, at: written)
            let file = folder.appending(path: "subject-token")
            let first = try String(contentsOf: file, encoding: .utf8)
            clock.advance(by: .seconds(1900))
            let renewal = Task { await files.renew(credentials, since: written, clock: clock) }
            defer { renewal.cancel() }
            let next = try TokenClaims(token: try await FileArrival.text(of: file, otherThan: first))
            let before = try #require(try TokenClaims(token: first).expirySeconds)
            #expect(next.expirySeconds == before + 1900)
        }
    }
}
