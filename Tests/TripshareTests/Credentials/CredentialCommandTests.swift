import Failures
import Foundation
import Testing
import TransportLive
import TripTestSupport

/// `--credentials` against `tripshare emulate --credentials-folder`.
@Suite("Credentials of a backend", .ends(within: .longTest))
struct CredentialCommandTests {
    /// An environment without the credentials of the machine that runs the tests.
    private static let clean = [
        "GOOGLE_APPLICATION_CREDENTIALS": "", "GOOGLE_CLOUD_PROJECT": "", "GOOGLE_CLOUD_QUOTA_PROJECT": "",
        "GCE_METADATA_HOST": "", "NO_GCE_CHECK": "true", "CLOUDSDK_CONFIG": "/nonexistent",
        "AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_REGION": "", "AWS_DEFAULT_REGION": "",
        "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES": "1",
    ]
    private static let signer = "consumer@tripshare-demo.iam.gserviceaccount.com"

    /// An emulator with its credential files.
    private struct Scene {
        let ready: String
        let folder: String
        let metadata: String
        let control: String

        func file(_ name: String) -> String { "\(folder)/\(name).json" }

        func run(_ arguments: [String], _ environment: [String: String] = [:]) async throws -> Program.Run {
            try await Program.runInProcess(
                arguments + ["--emulator", ready],
                environment: CredentialCommandTests.clean.merging(environment) { $1 }
            )
        }
    }

    private func withScene(_ body: (Scene) async throws -> Void) async throws {
        try await Program.withFolder { folder in
            let path = folder.appending(path: "credentials").path
            try await EmulatedEngine.run(["--credentials-folder", path]) { ready, object in
                try await body(
                    Scene(
                        ready: ready,
                        folder: path,
                        metadata: try #require(object["metadataHost"] as? String),
                        control: try #require(object["controlURL"] as? String)
                    )
                )
            }
        }
    }

    @Test func `each type of credential lists trips, signs through IAM and follows with the signed token`() async throws
    {
        try await withScene { scene in
            let types = [
                "service_account", "authorized_user", "impersonated_service_account", "external_account_file",
                "external_account_url", "external_account_executable", "external_account_aws",
                "external_account_authorized_user",
            ]
            for type in types {
                let source = ["--credentials", scene.file(type), "--account", Self.signer]
                let listing = try await scene.run(["trips"] + source)
                #expect(listing.status == 0, "\(type): \(listing.errors)")
                #expect(listing.output.contains("trip"), "\(type): \(listing.output)")
                let doctor = try await scene.run(["doctor", "--output", "json"] + source)
                let steps = try Self.steps(doctor.output)
                for step in ["credentials", "access", "server", "signing", "token", "claims"] {
                    #expect(steps[step]?.verdict == "passed", "\(type) \(step): \(doctor.output)")
                }
                for secret in ["ya29.", "eyJ", "BEGIN"] { #expect(!(doctor.output + doctor.errors).contains(secret)) }
            }
        }
    }

    @Test func `the variable, the file of gcloud and the metadata server are found`() async throws {
        try await withScene { scene in
            let variable = try await scene.run(
                ["trips", "--credentials", "adc"],
                ["GOOGLE_APPLICATION_CREDENTIALS": scene.file("service_account")]
            )
            #expect(variable.status == 0, "\(variable.errors)")
            let machine = ["GCE_METADATA_HOST": scene.metadata]
            let token = try await scene.run(
                ["token", "fetch", "--credentials", "adc", "--account", Self.signer, "--output", "json"],
                machine
            )
            #expect(token.status == 0, "\(token.errors) \(token.output)")
            let minted = try await scene.run(
                ["token", "mint", "--signer", "iam", "--account", Self.signer, "--trip", "t", "--output", "json"],
                machine
            )
            #expect(minted.status == 0, "\(minted.errors) \(minted.output)")
            #expect(minted.output.contains(Self.signer))
        }
    }

    /// A mistake in the set-up of a machine, and the party that must act.
    private struct Mistake {
        var name: String
        var party: String
        var step: String
        var words: [String]
        /// The credentials: `adc`, or the name of a file.
        var credentials = "authorized_user"
        var account: String? = signer
        var environment: [String: String] = [:]
        /// The fault of the emulator.
        var fault: String?
    }

    @Test func `doctor names the cause of what people get wrong`() async throws {
        try await withScene { scene in
            try Data(#"{"installed":{"client_id":"c"}}"#.utf8).write(to: URL(filePath: scene.folder + "/client.json"))
            let variable = "GOOGLE_APPLICATION_CREDENTIALS"
            let noServer = ["GCE_METADATA_HOST": "127.0.0.1:1"]
            let machine = ["GCE_METADATA_HOST": scene.metadata]
            let mistakes = [
                Mistake(
                    name: "1",
                    party: "this command line",
                    step: "configuration",
                    words: ["/no/key.json", "unset"],
                    credentials: "adc",
                    environment: [variable: "/no/key.json"]
                ),
                Mistake(
                    name: "2",
                    party: "this command line",
                    step: "configuration",
                    words: ["JSON text"],
                    credentials: "adc",
                    environment: [variable: #"{"type":"x"}"#]
                ),
                Mistake(
                    name: "5",
                    party: "this command line",
                    step: "configuration",
                    words: ["OAuth client"],
                    credentials: "client"
                ),
                Mistake(
                    name: "7",
                    party: "service account",
                    step: "access",
                    words: ["signature"],
                    credentials: "service_account",
                    fault: "key-deleted"
                ),
                Mistake(
                    name: "8",
                    party: "service account",
                    step: "access",
                    words: ["disabled"],
                    credentials: "service_account",
                    fault: "account-disabled"
                ),
                Mistake(name: "12", party: "this command line", step: "access", words: ["person"], fault: "reauth"),
                Mistake(
                    name: "14",
                    party: "service account",
                    step: "token",
                    words: ["iam.serviceAccounts.signJwt", "serviceAccountTokenCreator"],
                    fault: "iam-denied"
                ),
                Mistake(
                    name: "15",
                    party: "service configuration",
                    step: "token",
                    words: ["iamcredentials.googleapis.com"],
                    fault: "iam-disabled"
                ),
                Mistake(
                    name: "16",
                    party: "this command line",
                    step: "access",
                    words: ["127.0.0.1:1"],
                    credentials: "adc",
                    environment: noServer
                ),
                Mistake(
                    name: "17",
                    party: "service account",
                    step: "access",
                    words: ["Attach"],
                    credentials: "adc",
                    environment: machine,
                    fault: "no-account"
                ),
                Mistake(
                    name: "19",
                    party: "service account",
                    step: "access",
                    words: ["cloud-platform"],
                    credentials: "adc",
                    environment: machine,
                    fault: "narrow-scopes"
                ),
                Mistake(
                    name: "20",
                    party: "this command line",
                    step: "credentials",
                    words: [variable],
                    credentials: "adc"
                ),
                Mistake(
                    name: "21",
                    party: "network",
                    step: "access",
                    words: ["not a metadata server"],
                    credentials: "adc",
                    environment: machine,
                    fault: "no-metadata-header"
                ),
                Mistake(
                    name: "22",
                    party: "this command line",
                    step: "credentials",
                    words: ["GCE_METADATA_HOST"],
                    credentials: "adc",
                    environment: ["GCE_METADATA_HOST": "evil.example:80/x"]
                ),
                Mistake(
                    name: "23",
                    party: "service configuration",
                    step: "access",
                    words: ["attribute condition"],
                    credentials: "external_account_file",
                    fault: "attribute-condition"
                ),
                Mistake(
                    name: "24",
                    party: "token endpoint",
                    step: "access",
                    words: ["expired"],
                    credentials: "external_account_file",
                    fault: "stale-subject"
                ),
                Mistake(
                    name: "25",
                    party: "this command line",
                    step: "access",
                    words: ["GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES"],
                    credentials: "external_account_executable",
                    environment: ["GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES": ""]
                ),
                Mistake(
                    name: "no account",
                    party: "this command line",
                    step: "signing",
                    words: ["--account"],
                    account: nil
                ),
            ]
            for mistake in mistakes {
                if let fault = mistake.fault {
                    try await Self.send("POST", scene.control, #"{"on":"credentials","kind":"\#(fault)"}"#)
                }
                let credentials = mistake.credentials == "adc" ? "adc" : scene.file(mistake.credentials)
                let account = mistake.account.map { ["--account", $0] } ?? []
                let run = try await scene.run(
                    ["doctor", "--output", "json", "--credentials", credentials] + account,
                    mistake.environment
                )
                if mistake.fault != nil { try await Self.send("DELETE", scene.control, "") }
                let failed = try Self.steps(run.output).first { $0.value.verdict == "failed" }
                #expect(failed?.key == mistake.step, "\(mistake.name): \(run.output)")
                #expect(failed?.value.party == mistake.party, "\(mistake.name): \(run.output)")
                for word in mistake.words { #expect(run.output.contains(word), "\(mistake.name): \(run.output)") }
                for secret in ["ya29.", "eyJ", "BEGIN"] {
                    #expect(!(run.output + run.errors).contains(secret), "\(mistake.name)")
                }
            }
        }
    }

    /// Sends a request to the control API of an emulator, by default about its faults.
    private static func send(
        _ method: String,
        _ control: String,
        _ body: String,
        to path: String = "faults"
    ) async throws {
        let status = try await withLiveHTTPTransport { transport in
            try await transport.send(
                HTTPTransportRequest(
                    method: method,
                    url: "\(control)/\(path)",
                    headers: [("content-type", "application/json")],
                    body: [UInt8](body.utf8),
                    timeout: .seconds(60)
                )
            ).status
        }
        #expect(status == 200)
    }

    @Test func `a refusal of the server's calls is a warning that says who must do what`() async throws {
        try await withScene { scene in
            let user = try String(contentsOfFile: scene.file("authorized_user"), encoding: .utf8)
            let unpaid = user.replacing(/"quota_project_id":"[^"]*",?/, with: "").replacing(",}", with: "}")
            try Data(unpaid.utf8).write(to: URL(filePath: scene.file("unpaid")))
            let cases: [(file: String, arguments: [String], party: String, words: String)] = [
                ("unpaid", [], "this command line", "--quota-project"),
                ("authorized_user", ["--quota-project", "another"], "service account", "serviceUsageConsumer"),
                ("service_account_server", [], "service account", "ondemandAdmin"),
            ]
            for example in cases {
                let run = try await scene.run(
                    ["doctor", "--output", "json", "--credentials", scene.file(example.file)] + example.arguments
                )
                let step = try #require(try Self.steps(run.output)["server"], "\(example.file): \(run.output)")
                #expect(step.verdict == "warned", "\(example.file): \(run.output)")
                #expect(step.party == example.party, "\(example.file): \(run.output)")
                #expect(step.advice?.contains(example.words) == true, "\(example.file): \(run.output)")
            }
        }
    }

    @Test
    func `the token that lists the trips is an event, a call and part of the screen, and a replay shows the same`()
        async throws
    {
        try await withScene { scene in
            let source = ["--all", "--credentials", scene.file("authorized_user"), "--account", Self.signer]
            let lines = try await scene.run(["watch", "--output", "json", "--timeout", "10"] + source)
            #expect(lines.output.contains(#""server":true"#), "\(lines.output) \(lines.errors)")
            let script = "\(scene.folder)/token.txt"
            let picture = "\(scene.folder)/token-view.txt"
            let recording = "\(scene.folder)/all.ndjson"
            let steps = ["size 120x40", "wait on the way", "key 3", "wait Server token", "dump \(picture)"]
            try Data(steps.joined(separator: "\n").utf8).write(to: URL(filePath: script))
            // The ride of a busy machine may be over by now.
            try await Self.send("POST", scene.control, "", to: "reset")
            let run = try await scene.run(["watch", "--script", script, "--record", recording] + source)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try String(contentsOfFile: picture, encoding: .utf8).contains("Credentials"))
            let verified = try await Program.run(["verify", recording])
            #expect(verified.status == 0, "\(verified.output)")
            let calls = try await Program.run(["calls", recording, "--output", "json"])
            #expect(calls.output.contains(#""id":"*""#), "\(calls.output)")
            let grants = try await Program.run(["calls", recording, "--filter", "to:credentials op:GrantCredentials"])
            #expect(grants.output.contains("GrantCredentials"), "\(grants.output)")
            let written = try String(contentsOfFile: recording, encoding: .utf8)
            for secret in ["ya29.", "eyJ"] { #expect(!(written + lines.output + calls.output).contains(secret)) }
        }
    }

    @Test func `emulate signs through IAM, and verifies with the published certificates`() async throws {
        try await withScene { google in
            let settings = [
                "TRIPSHARE_IAM_URL": "http://" + google.metadata,
                "TRIPSHARE_CERTIFICATES_URL": "http://\(google.metadata)/service_accounts/v1/metadata/x509/{email}",
            ]
            let environment = Self.clean.merging(settings) { $1 }
            try await Program.withFolder { folder in
                let ready = folder.appending(path: "second.json").path
                let emulator = try Program.start(
                    [
                        "emulate", "--ready-file", ready, "--credentials", google.file("authorized_user"),
                        "--account", "consumer=\(Self.signer)",
                    ],
                    in: folder,
                    environment: environment
                )
                defer { emulator.terminate() }
                _ = try await FileArrival.wait(for: URL(filePath: ready), from: emulator)
                let trip = try await Program.run(["watch", "--once", "--output", "json", "--emulator", ready])
                #expect(trip.status == 0, "\(trip.output) \(trip.errors)")
                let token = try await Program.run(["token", "fetch", "--output", "json", "--emulator", ready])
                #expect(token.output.contains(Self.signer), "\(token.output) \(token.errors)")

                // The owner takes the permission away; the endpoint says so to its client.
                try await Self.send("POST", google.control, #"{"on":"credentials","kind":"iam-denied"}"#)
                let refused = try await Program.run(["token", "fetch", "--output", "json", "--emulator", ready])
                #expect(refused.status != 0)
                #expect(refused.errors.contains("iam.serviceAccounts.signJwt"), "\(refused.errors)")
                emulator.terminate()
                let run = try await emulator.result()
                #expect(run.errors.contains("iam.serviceAccountTokenCreator"), "\(run.errors)")
                for secret in ["ya29.", "eyJ"] { #expect(!(run.output + run.errors).contains(secret)) }
            }
        }
    }

    @Test(
        arguments: [
            (["--account", "consumer=rider@p.iam.gserviceaccount.com"], "--credentials adc"),
            (["--credentials", "adc"], "--account ROLE=EMAIL"), (["--delegate", "a@b.c"], "--delegate applies"),
        ]
    )
    func `emulate says which part of a signer is missing`(_ arguments: [String], words: String) async throws {
        let run = try await Program.run(["emulate"] + arguments, environment: Self.clean)
        #expect(run.status == 64)
        #expect(run.errors.contains(words), "\(run.errors)")
    }

    private struct Step: Decodable {
        var step: String?
        var verdict: String?
        var party: String?
        var evidence: String?
        var advice: String?
    }

    private static func steps(_ output: String) throws -> [String: Step] {
        var steps: [String: Step] = [:]
        for line in output.split(separator: "\n") {
            let step = try JSONDecoder().decode(Step.self, from: Data(line.utf8))
            if let name = step.step { steps[name] = step }
        }
        return steps
    }
}
