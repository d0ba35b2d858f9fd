import CryptoExtras
import Foundation
import Testing
import TripTestSupport

/// `tripshare tokens serve` with the real program.
@Suite("Token endpoint for development", .ends(within: .longTest))
struct TokensServeTests {
    private static let key = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    /// Writes a key file that only its owner can read.
    private static func keyFile(in folder: URL) throws -> String {
        let file = folder.appending(path: "account.json")
        let object = [
            "type": "service_account", "client_email": "server@project.iam.gserviceaccount.com",
            "private_key_id": "key-1", "private_key": try key.get().pemRepresentation,
        ]
        let data = try JSONSerialization.data(withJSONObject: object)
        #expect(
            FileManager.default.createFile(atPath: file.path, contents: data, attributes: [.posixPermissions: 0o600])
        )
        return file.path
    }

    /// Runs the endpoint; passes the lines that it prints first, and returns everything that it printed.
    private static func serve(
        _ arguments: [String],
        in folder: URL,
        body: (_ url: String) async throws -> Void
    ) async throws -> Program.Run {
        let service = try Program.start(["tokens", "serve", "--port", "0"] + arguments, in: folder)
        defer { service.terminate() }
        try await service.outputs("Try it")
        let match = try #require(service.output.firstMatch(of: /Riders +(http:\/\/127\.0\.0\.1:\d+)\/token/))
        try await body(String(match.1))
        service.terminate()
        return try await service.result()
    }

    @Test func `fetch gets each kind of token with the login, and the audit shows who got what`() async throws {
        try await Program.withFolder { folder in
            let login = folder.appending(path: "login").path
            let arguments = ["--service-account", try Self.keyFile(in: folder), "--login-file", login]
            let run = try await Self.serve(arguments, in: folder) { url in
                let kinds = [
                    ("--trip", "consumer/{tripId}", "tripid"), ("--vehicle", "driver/{vehicleId}", "vehicleid"),
                    ("--tracking", "delivery_consumer/{trackingId}", "trackingid"),
                    ("--delivery-vehicle", "delivery_driver/{deliveryVehicleId}", "deliveryvehicleid"),
                ]
                for (flag, path, claim) in kinds {
                    let fetch = try await Program.run([
                        "token", "fetch", flag, "x-1", "--token-url", "\(url)/token/\(path)", "--token-header",
                        "Authorization=file:\(login)", "--output", "json",
                    ])
                    #expect(fetch.status == 0, "\(flag): \(fetch.errors)\(fetch.output)")
                    #expect(fetch.output.contains(#""\#(claim)":"x-1""#), "\(fetch.output)")
                    #expect(!fetch.output.contains("eyJ"))
                }
                let refused = try await Program.run([
                    "token", "fetch", "--trip", "x-1", "--token-url", "\(url)/token/consumer/{tripId}",
                ])
                #expect(refused.status == 77 && refused.errors.contains("401"), "\(refused.status) \(refused.errors)")
            }
            for words in [
                "200 consumer x-1 sha256:", "200 driver x-1 sha256:", "200 delivery_consumer x-1 sha256:",
                "200 delivery_driver x-1 sha256:", "401 -",
            ] { #expect(run.output.contains(words), "\(run.output)") }
            let secret = try String(contentsOfFile: login, encoding: .utf8).trimmingCharacters(in: .newlines)
            for text in ["eyJ", "BEGIN", secret] { #expect(!(run.output + run.errors).contains(text)) }
            let mode = try FileManager.default.attributesOfItem(atPath: login)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test func `more requests than the limit get 429`() async throws {
        try await Program.withFolder { folder in
            let login = folder.appending(path: "login").path
            let arguments = [
                "--service-account", try Self.keyFile(in: folder), "--login-file", login, "--limit", "1",
                "--answer", "token",
            ]
            let run = try await Self.serve(arguments, in: folder) { url in
                let fetch = [
                    "token", "fetch", "--trip", "x-1", "--token-url", "\(url)/token/consumer/{tripId}",
                    "--token-key", "token", "--token-header", "Authorization=file:\(login)",
                ]
                var codes: [Int32] = []
                for _ in 1...3 { codes.append(try await Program.run(fetch).status) }
                // A minute may have begun between two of them.
                #expect(codes.contains(69), "\(codes)")
            }
            #expect(run.output.contains(" 429 "), "\(run.output)")
        }
    }

    @Test(
        arguments: [
            (["--login-file", "l"], "--service-account"),
            (["--service-account", "k", "--credentials", "adc", "--login-file", "l"], "--credentials"),
            (["--service-account", "k", "--login-file", "l", "--limit", "0"], "--limit"),
            (["--service-account", "k", "--login-file", "l", "--lifetime", "5"], "lifetime"),
        ]
    )
    func `says which option is wrong`(_ arguments: [String], words: String) async throws {
        let run = try await Program.run(["tokens", "serve"] + arguments)
        #expect(run.status == 64)
        #expect(run.errors.contains(words), "\(run.errors)")
    }
}
