import Foundation
import Testing
import TripTestSupport

import enum CryptoExtras._RSA

/// Google's published Python clients, unmodified, against `tripshare emulate --grpc-port`.
@Suite("Python clients", .ends(within: .longTest))
struct PythonClientTests {
    private struct Report: Decodable {
        var table: [String: [String: String]]
        var errors: [String: [Failure]]
        var views: [String: Bool]
        var checks: [String: Bool]
    }

    /// A code or the names of details.
    private enum Failure: Decodable, Equatable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
        case code(String)
        case details([String])

        init(stringLiteral code: String) { self = .code(code) }
        init(arrayLiteral details: String...) { self = .details(details) }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let code = try? container.decode(String.self) {
                self = .code(code)
            } else {
                self = .details(try container.decode([String].self))
            }
        }
    }

    private static let allCalls: Set<String> = [
        "CreateTrip", "GetTrip", "UpdateTrip", "DeleteTrip", "SearchTrips", "ReportBillableTrip", "CreateVehicle",
        "GetVehicle", "UpdateVehicle", "UpdateVehicleAttributes", "DeleteVehicle", "ListVehicles", "SearchVehicles",
    ]

    private static func report(_ folder: URL, _ ready: String, _ object: [String: Any]) async throws -> Report {
        let root = try #require(object["grpcRootCertificate"] as? String)
        let output = try await PythonProgram.run(
            "Tests/TripshareTests/Python/clients.py",
            [ready, folder.appendingPathComponent("key.json").path],
            // Without a proxy, because the emulator is on this machine.
            environment: ["GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": root, "no_proxy": "localhost,127.0.0.1"]
        )
        return try JSONDecoder().decode(Report.self, from: output)
    }

    /// Writes the key of a service account.
    private static func writeKey(in folder: URL) throws -> String {
        let key = folder.appendingPathComponent("key.json")
        try writeKey(to: key, email: "server@tripshare-demo.iam.gserviceaccount.com", id: "k-1")
        return key.path
    }

    private static func writeKey(to key: URL, email: String, id: String) throws {
        let account = [
            "type": "service_account", "client_email": email,
            "private_key_id": id, "private_key": try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation,
            "token_uri": "http://127.0.0.1:1/token",
        ]
        try JSONSerialization.data(withJSONObject: account).write(to: key)
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `all calls with all kinds of tokens, and all errors, are as over REST`() async throws {
        try await Program.withFolder { folder in
            let key = try Self.writeKey(in: folder)
            try await EmulatedEngine.run(["--grpc-port", "0", "--account", "ondemandAdmin=\(key)"]) { ready, object in
                let report = try await Self.report(folder, ready, object)
                for call in Self.allCalls {
                    #expect(report.table["server"]?[call] == "OK", "\(call)")
                    let rider = ["GetTrip", "SearchVehicles"].contains(call) ? "OK" : "PERMISSION_DENIED"
                    #expect(report.table["consumer"]?[call] == rider, "\(call)")
                    let driver = ["GetVehicle", "UpdateVehicle", "SearchTrips"].contains(call)
                    #expect(report.table["driver"]?[call] == (driver ? "OK" : "PERMISSION_DENIED"), "\(call)")
                }
                #expect(report.table.values.allSatisfy { Set($0.keys) == Self.allCalls })
                #expect(report.checks.count == 9 && report.checks.values.allSatisfy(\.self), "\(report.checks)")
                #expect(report.views.count == 4 && report.views.values.allSatisfy(\.self), "\(report.views)")
                #expect(
                    report.errors == [
                        "another trip": ["PERMISSION_DENIED", []],
                        "no permission": ["PERMISSION_DENIED", ["ErrorInfo"]],
                        "unknown trip": ["NOT_FOUND", []],
                        "bad name": ["INVALID_ARGUMENT", []],
                        "another provider": ["INVALID_ARGUMENT", []],
                        "existing trip": ["ALREADY_EXISTS", []],
                        "active trip": ["FAILED_PRECONDITION", []],
                        "empty mask": ["INVALID_ARGUMENT", []],
                        "bad token": ["UNAUTHENTICATED", []],
                        "latency": ["DEADLINE_EXCEEDED", []],
                        "fault 503": ["UNAVAILABLE", []],
                        "fault 429": ["RESOURCE_EXHAUSTED", ["RetryInfo"]],
                        "fault 504": ["DEADLINE_EXCEEDED", []],
                        "fault 502 as a page": ["UNAVAILABLE", []],
                        "reset": ["UNAVAILABLE", []],
                        "truncated": ["UNAVAILABLE", []],
                        "garbage": ["INTERNAL", []],
                    ]
                )
            }
        }
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `a client with a key file may do what the role of its account permits`() async throws {
        try await Program.withFolder { folder in
            let roles = [
                "consumer", "driver", "server", "ondemandAdmin", "deliveryConsumer", "deliveryFleetReader",
                "deliveryAdmin", "none",
            ]
            var accounts: [String] = []
            for role in roles {
                let key = folder.appendingPathComponent("\(role).json")
                try Self.writeKey(to: key, email: "\(role)@tripshare-demo.iam.gserviceaccount.com", id: "key-\(role)")
                accounts += ["--account", "\(role)=\(key.path)"]
            }
            try await EmulatedEngine.run(["--grpc-port", "0"] + accounts) { ready, object in
                let root = try #require(object["grpcRootCertificate"] as? String)
                let output = try await PythonProgram.run(
                    "Tests/TripshareTests/Python/roles.py",
                    [ready, folder.path] + roles,
                    environment: ["GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": root, "no_proxy": "localhost,127.0.0.1"]
                )
                let answers = try JSONDecoder().decode([String: [String]].self, from: output)
                for role in roles {
                    let expected =
                        switch role {
                        case "ondemandAdmin": ["OK", "", "OK", ""]
                        case "deliveryAdmin":
                            [
                                "PERMISSION_DENIED", "The caller does not have permission",
                                "PERMISSION_DENIED", "The caller does not have permission",
                            ]
                        default:
                            [
                                "PERMISSION_DENIED", "JWT does not contain any scopes.",
                                "PERMISSION_DENIED", "JWT does not contain any scopes.",
                            ]
                        }
                    #expect(answers[role] == expected, "\(role)")
                }
            }
        }
    }

    @Test func `the root certificate exists as long as the emulator runs`() async throws {
        try await Program.withFolder { folder in
            let ready = folder.appendingPathComponent("ready.json")
            let emulator = try Program.start(["emulate", "--ready-file", ready.path, "--grpc-port", "0"], in: folder)
            let object = try await FileArrival.wait(for: ready, from: emulator)
            let root = try #require(object["grpcRootCertificate"] as? String)
            #expect(try String(contentsOfFile: root, encoding: .utf8).hasPrefix("-----BEGIN CERTIFICATE-----"))
            let target = try #require(object["grpcTarget"] as? String)
            #expect(target.hasPrefix("localhost:"))
            emulator.terminate()
            #expect(try await emulator.result().output.contains("gRPC            \(target)\n"))
            #expect(!FileManager.default.fileExists(atPath: root))
        }
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `--grpc-plaintext serves the same without TLS, also compressed`() async throws {
        try await EmulatedEngine.run(["--grpc-port", "0", "--grpc-plaintext"]) { ready, object in
            #expect(object["grpcRootCertificate"] == nil)
            let output = try await PythonProgram.run(
                "Tests/TripshareTests/Python/plaintext.py",
                [ready],
                environment: ["no_proxy": "localhost,127.0.0.1"]
            )
            let trip = try #require((object["tripIds"] as? [String])?.first)
            let name = String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(name == "providers/tripshare-demo/trips/\(trip)")
        }
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `a call that is delayed ends with the emulator as UNAVAILABLE`() async throws {
        try await EmulatedEngine.run(["--grpc-port", "0"]) { ready, object in
            let root = try #require(object["grpcRootCertificate"] as? String)
            let output = try await PythonProgram.run(
                "Tests/TripshareTests/Python/pending.py",
                [ready],
                environment: ["GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": root, "no_proxy": "localhost,127.0.0.1"]
            )
            #expect(String(decoding: output, as: UTF8.self) == "UNAVAILABLE\n")
        }
    }

    @Test func `a bad gRPC port or an address in use is an error`() async throws {
        let unused = try await Program.run(["emulate", "--grpc-plaintext"])
        #expect(unused.status == 64 && unused.errors.contains("--grpc-port"), "\(unused.errors)")
        let bad = try await Program.run(["emulate", "--grpc-port", "70000"])
        #expect(bad.status == 64, "\(bad.errors)")
        try await EmulatedEngine.run(["--grpc-port", "0"]) { _, object in
            let port = try #require((object["grpcTarget"] as? String)?.split(separator: ":").last)
            let taken = try await Program.run(["emulate", "--grpc-port", String(port)])
            #expect(taken.status == 69 && taken.errors.contains("port \(port): "), "\(taken.errors)")
        }
    }
}
