import Foundation
import Testing
import TripTestSupport

/// Google's unmodified libraries with each type of credential, against `tripshare emulate --credentials-folder`.
@Suite("Python credentials", .ends(within: .longTest))
struct PythonCredentialTests {
    /// A text, a number or a truth value.
    private enum Value: Decodable, Equatable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
        ExpressibleByBooleanLiteral
    {
        case text(String)
        case number(Int)
        case truth(Bool)

        init(stringLiteral text: String) { self = .text(text) }
        init(integerLiteral number: Int) { self = .number(number) }
        init(booleanLiteral truth: Bool) { self = .truth(truth) }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let truth = try? container.decode(Bool.self) {
                self = .truth(truth)
            } else if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }

    private static let expected: [String: [Value]] = [
        "authorized_user": ["OK", 200],
        "impersonated_service_account": ["OK", 200],
        "service_account": ["OK", 200],
        "service_account_server": ["PERMISSION_DENIED JWT does not contain any scopes.", 403],
        "external_account_file": ["OK", 200],
        "external_account_url": ["OK", 200],
        "external_account_executable": ["OK", 200],
        "external_account_aws": ["OK", 200],
        "external_account_authorized_user": ["OK", 200],
        "no quota project": ["PERMISSION_DENIED SERVICE_DISABLED", 403],
        "another quota project": ["PERMISSION_DENIED USER_PROJECT_DENIED", 403],
        "metadata": ["OK", 200],
        "metadata of": ["tripshare-demo", "ondemandAdmin@tripshare-demo.iam.gserviceaccount.com"],
        "self-signed for an audience": ["OK"],
        "self-signed with scopes": ["OK", 200],
        "signature": [256],
        "signJwt": [200, "ondemandAdmin-key-1"],
        "no grant": [true],
    ]

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `each type of credential works over gRPC and REST, and is refused for Google's reasons`() async throws {
        try await Program.withFolder { folder in
            // The quotation marks of a shell are needed in the executable source.
            let credentials = folder.appending(path: "the credentials").path
            try await EmulatedEngine.run(["--grpc-port", "0", "--credentials-folder", credentials]) { ready, object in
                let root = try #require(object["grpcRootCertificate"] as? String)
                let metadata = try #require(object["metadataHost"] as? String)
                let output = try await PythonProgram.run(
                    "Tests/TripshareTests/Python/credentials.py",
                    [ready],
                    environment: [
                        "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": root, "no_proxy": "localhost,127.0.0.1",
                        "GCE_METADATA_HOST": metadata, "GCE_METADATA_IP": metadata, "NO_GCE_CHECK": "",
                        "CLOUDSDK_CONFIG": folder.path, "GOOGLE_APPLICATION_CREDENTIALS": "",
                        "GOOGLE_CLOUD_PROJECT": "tripshare-demo", "GOOGLE_CLOUD_QUOTA_PROJECT": "",
                        "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES": "1",
                    ]
                )
                let report = try JSONDecoder().decode([String: [Value]].self, from: output)
                #expect(Set(report.keys) == Set(Self.expected.keys))
                for (name, expected) in Self.expected { #expect(report[name] == expected, "\(name)") }
            }
        }
    }
}
