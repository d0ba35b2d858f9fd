import Foundation
import Testing
import TripTestSupport

@testable import tripshare

/// The options for connections, and the variables that they replace.
@Suite("Network options", .ends(within: .minutes(15)))
struct NetworkOptionTests {
    /// The arguments that poll the first trip of an emulator once, without its ready file.
    private static func watch(_ ready: [String: Any], at url: String) throws -> [String] {
        [
            "watch", try #require((ready["tripIds"] as? [String])?.first), "--once", "--timeout", "20",
            "--provider-id", try #require(ready["providerId"] as? String),
            "--token-url", try #require(ready["tokenURL"] as? String),
            "--fleet-engine-url", url,
        ]
    }

    // MARK: Certificates

    @Test func `--ca and SSL_CERT_FILE replace the system's certificates, and the option wins`() async throws {
        try await EmulatedEngine.run(["--grpc-port", "0"]) { _, ready in
            let root = try #require(ready["grpcRootCertificate"] as? String)
            let url = "https://\(try #require(ready["grpcTarget"] as? String))"
            let watch = try Self.watch(ready, at: url) + ["--transport", "grpc"]
            let unknown = try await Program.run(watch)
            #expect(unknown.status == 69 && unknown.errors.contains("not trusted"), "\(unknown.errors)")
            for (options, environment) in [
                (["--ca", root], [:]),
                ([], ["SSL_CERT_FILE": root]),
                (["--ca", root], ["SSL_CERT_FILE": "/dev/null", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": "/dev/null"]),
            ] as [([String], [String: String])] {
                let run = try await Program.run(watch + options, environment: environment)
                #expect(run.status == 0, "\(options) \(environment) \(run.errors)")
            }
        }
    }

    @Test(
        arguments: [
            (["--ca", "/no/such.pem"], [:], 66, "‘/no/such.pem’"),
            (["--ca", "/dev/null"], [:], 65, "‘/dev/null’ is not a file of certificates"),
            (["--ca", "/"], [:], 65, "is a folder"),
            ([], ["SSL_CERT_FILE": "/no/such.pem"], 78, "SSL_CERT_FILE names ‘/no/such.pem’"),
            ([], ["SSL_CERT_FILE": "/dev/null"], 78, "SSL_CERT_FILE names ‘/dev/null’"),
        ] as [([String], [String: String], Int32, String)]
    )
    func `an unusable file of certificates is named`(
        options: [String],
        environment: [String: String],
        status: Int32,
        words: String
    ) async throws {
        let source = ["--token-env", "T", "--fleet-engine-url", "http://127.0.0.1:1"]
        for command in [
            ["watch", "t", "--provider-id", "p", "--once"] + source, ["trips", "--provider-id", "p"] + source,
            ["doctor", "t", "--provider-id", "p"] + source, ["token", "fetch", "--trip", "t", "--token-env", "T"],
        ] {
            let run = try await Program.runInProcess(
                command + options,
                environment: environment.merging(["T": "x"]) { $1 }
            )
            #expect(run.status == status, "\(command) \(run.errors)")
            #expect((run.output + run.errors).contains(words), "\(command) \(run.output) \(run.errors)")
        }
    }
}
