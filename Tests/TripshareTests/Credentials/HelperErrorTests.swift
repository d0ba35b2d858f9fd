import Failures
import FleetEmulator
import FleetTokens
import Foundation
import Testing
import TripTestSupport
import TripText

@testable import tripshare

/// Why a helper program failed is said wherever its failure is: the end of its standard error.
@Suite("Standard error of helpers in messages", .ends(within: .longTest))
struct HelperErrorTests {
    /// A command that says why it fails, with a secret and an escape sequence.
    private static let script =
        "sh -c 'echo starting >&2; printf \"\\033[31mno ticket for today, password=hunter2secret\\033[0m\\n\" >&2; exit 3'"

    private func expectReason(_ text: String, _ place: String) {
        #expect(text.contains("no ticket for today"), "\(place): \(text)")
        #expect(text.contains("starting"), "\(place): \(text)")
        for forbidden in ["hunter2secret", "\u{1B}", "[31m"] { #expect(!text.contains(forbidden), "\(place): \(text)") }
    }

    @Test func `a token command, also of a server`() async throws {
        let engine = CannedEngine(fields: CannedEngine.underWay(reported: 1))
        try await engine.run { url in
            let service = ["--provider-id", "p", "--fleet-engine-url", url]
            let source = ["--token-command", Self.script]
            let commands: [(place: String, arguments: [String])] = [
                ("token fetch", ["token", "fetch", "--trip", "t"] + source),
                ("trips", ["trips"] + service + source),
                ("doctor", ["doctor", "t"] + service + source),
                ("watch", ["watch", "t", "--once", "--output", "plain"] + service + source),
                ("watch as JSON", ["watch", "t", "--once", "--output", "json"] + service + source),
                ("track", ["track", "t", "--once", "--output", "plain"] + service + source),
                (
                    "server token",
                    ["watch", "--all", "--once", "--output", "plain", "--server-token-command", Self.script] + service
                        + source
                ),
            ]
            for (place, arguments) in commands {
                let run = try await Program.runInProcess(arguments)
                #expect(run.status != 0, "\(place): \(run.output)")
                expectReason(run.output + run.errors, place)
            }
        }
    }

    @Test func `following with the built program`() async throws {
        let engine = CannedEngine(fields: CannedEngine.underWay(reported: 1))
        try await engine.run { url in
            let service = ["--provider-id", "p", "--fleet-engine-url", url, "--token-command", Self.script]
            let watch = try await Program.run(["watch", "t", "--timeout", "3", "--output", "plain"] + service)
            expectReason(watch.output + watch.errors, "watch")
        }
    }

    @Test func `a driver without a token`() {
        let failure = Failure.commandFailed(exitStatus: 3).saying("no ticket for today")
        let error = DriverError.noToken(
            call: "UpdateVehicle",
            TokenError.unavailable(failure, retryAfter: .zero).failure
        )
        let words = EmulatorRun.words(error, .english)
        #expect(words.contains("the command ended with status 3 (‘no ticket for today’)"), "\(words)")
    }

    @Test func `the executable of a credential file`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "executable.json")
            let object: [String: Any] = [
                "type": "external_account", "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
                "audience": "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/x",
                "token_url": "http://127.0.0.1:1/v1/token",
                "credential_source": ["executable": ["command": Self.script, "timeout_millis": 10_000]],
            ]
            let bytes = try JSONSerialization.data(withJSONObject: object)
            #expect(
                FileManager.default.createFile(
                    atPath: file.path,
                    contents: bytes,
                    attributes: [.posixPermissions: 0o600]
                )
            )
            let engine = CannedEngine(fields: CannedEngine.underWay(reported: 1))
            try await engine.run { url in
                let service = ["--provider-id", "p", "--fleet-engine-url", url, "--credentials", file.path]
                for command in [["trips"], ["doctor", "t"], ["watch", "--all", "--once", "--output", "plain"]] {
                    let run = try await Program.runInProcess(
                        command + service + ["--account", "a@p.iam.gserviceaccount.com"],
                        environment: ["GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES": "1"]
                    )
                    #expect(run.status != 0, "\(command): \(run.output)")
                    expectReason(run.output + run.errors, command[0])
                }
            }
        }
    }

    @Test func `a command of a notice`() async throws {
        let run = try await Program.run([
            "demo", "--seed", "1", "--speed", "120", "--output", "plain", "--on", "end=\(Self.script)",
        ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("failed for the event end: exit status 3 (‘"), "\(run.errors)")
        expectReason(run.errors, "--on")
    }
}
