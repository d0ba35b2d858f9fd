import CryptoExtras
import Foundation
import Testing
import TripTestSupport

/// No file that a session writes contains a part of a token or key used in it.
@Suite("Secrets in written files", .serialized, .terminalTurn, .ends(within: .longTest))
struct WrittenSecretTests {
    /// Writes every kind of file, and meets a rejected token on the way.
    private static let script = """
        wait km/h
        key m
        type note
        key Enter
        type :fault 401
        key Enter
        wait Faults
        pause 1
        key t
        pause 1
        key 3
        dump token.txt
        svg token.svg
        key 5
        dump inspector.txt
        key 1 I w y
        wait .ndjson
        key B y
        wait .tar.gz
        key q
        """

    /// The parts of a secret that must not appear: every 16 characters of each line or section.
    private static func parts(_ secret: String) -> Set<String> {
        var parts: Set<String> = []
        for piece in secret.split(whereSeparator: { $0 == "." || $0.isNewline }) where piece.count >= 16 {
            let letters = Array(piece)
            for start in 0...(letters.count - 16) { parts.insert(String(letters[start..<(start + 16)])) }
        }
        return parts
    }

    /// Checks all files below a folder; returns their number.
    private static func check(_ folder: URL, against secrets: [String]) async throws -> Int {
        let parts = secrets.reduce(into: Set<String>()) { $0.formUnion(Self.parts($1)) }
        #expect(parts.count > 300)
        for archive in try Unpacked.archives(in: folder) { _ = try await Unpacked.files(archive) }
        var count = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where !path.hasSuffix(".gz") {
            // A folder has no data.
            guard let data = try? Data(contentsOf: folder.appending(path: path)) else { continue }
            count += 1
            let text = Array(String(decoding: data, as: UTF8.self))
            guard text.count >= 16 else { continue }
            var found: String?
            for start in 0...(text.count - 16) where found == nil {
                let part = String(text[start..<(start + 16)])
                if parts.contains(part) { found = part }
            }
            #expect(found == nil, "\(path) contains a part of a secret")
        }
        return count
    }

    private static func session(_ source: [String], _ object: [String: Any], in folder: URL) async throws {
        let files = folder.appending(path: "written")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        let script = folder.appending(path: "script")
        try Data(Self.script.utf8).write(to: script)
        let wanted = folder.appending(path: "e.yaml")
        try Data("expect:\n  - {name: Moves, status: ENROUTE_TO_PICKUP}\n".utf8).write(to: wanted)
        let trip = try #require((object["tripIds"] as? [String])?.first)
        let url = try #require(object["fleetEngineURL"] as? String)
        for report in ["r.xml", "r.json"] {
            let run = try await Program.run(
                in: files,
                [
                    "watch", trip, "--provider-id", "tripshare-demo", "--fleet-engine-url", url, "--interval", "1",
                    "--script", script.path, "--expect", wanted.path, "--report", report, "--record",
                    "\(report).ndjson",
                ] + source
            )
            #expect(run.status == 0 || run.status == 1, "\(run.errors)")
        }
    }

    @Test func `contain no part of the token`() async throws {
        try await EmulatedEngine.run(["--token-lifetime", "3600"]) { ready, object in
            try await Program.withFolder { folder in
                let fetched = try await Program.run(["token", "fetch", "--emulator", ready, "--reveal"])
                let token = fetched.output.trimmingCharacters(in: .whitespacesAndNewlines)
                #expect(token.hasPrefix("eyJ"))
                let file = folder.appending(path: "token")
                try Data(token.utf8).write(to: file)
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
                try await Self.session(["--token-file", file.path], object, in: folder)
                let count = try await Self.check(folder.appending(path: "written"), against: [token])
                #expect(count >= 15)
            }
        }
    }

    @Test func `contain no part of a signing key`() async throws {
        try await Program.withFolder { folder in
            let pair = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            let key = folder.appending(path: "key.json")
            let account = [
                "client_email": "consumer@tripshare-demo.iam.gserviceaccount.com", "private_key_id": "k-1",
                "private_key": pair.pemRepresentation,
            ]
            try JSONSerialization.data(withJSONObject: account).write(to: key)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
            try await EmulatedEngine.run(["--account", "consumer=\(key.path)"]) { _, object in
                try await Self.session(["--service-account", key.path], object, in: folder)
                let count = try await Self.check(folder.appending(path: "written"), against: [pair.pemRepresentation])
                #expect(count >= 15)
            }
        }
    }
}
