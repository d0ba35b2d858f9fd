import Foundation
import Synchronization
import Testing
import TripTestSupport

import enum CryptoExtras._RSA

@testable import tripshare

/// No file of a run contains any part of the tokens and keys that the run used.
@Suite("Secrets in files", .ends(within: .longTest))
struct SecretFilesTests {
    /// All groups of eight bytes of secrets.
    private struct Pieces {
        private var pieces: Set<UInt64> = []

        var count: Int { pieces.count }

        mutating func add(_ secret: some Sequence<UInt8>) { Self.each(secret) { pieces.insert($0) } }

        /// Returns the first piece in a file; `nil` if it has none.
        func found(in bytes: some Sequence<UInt8>) -> String? {
            var first: UInt64?
            Self.each(bytes) { piece in if first == nil, pieces.contains(piece) { first = piece } }
            return first.map { piece in
                String(decoding: (0..<8).map { UInt8(truncatingIfNeeded: piece >> (56 - 8 * $0)) }, as: UTF8.self)
            }
        }

        private static func each(_ bytes: some Sequence<UInt8>, _ body: (UInt64) -> Void) {
            var window: UInt64 = 0
            for (number, byte) in bytes.enumerated() {
                window = window << 8 | UInt64(byte)
                if number >= 7 { body(window) }
            }
        }
    }

    /// A service that repeats the token in its answers, ends the trip after some polls, and remembers all tokens.
    private final class Service: Sendable {
        private let polls = Mutex(0)
        private let seen = Mutex<Set<String>>([])

        var tokens: Set<String> { seen.withLock { $0 } }

        func answer(_ request: String) -> String {
            let line = request.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix("authorization:") }
            let token = line.flatMap { $0.split(separator: " ").last }.map(String.init) ?? ""
            seen.withLock { _ = $0.insert(token) }
            let number = polls.withLock { count in
                count += 1
                return count
            }
            let (status, body): (String, String) =
                switch number {
                case 3: ("503 Service Unavailable", #"{"error":{"code":503,"message":"\#(token) is tired"}}"#)
                case ..<10:
                    (
                        "200 OK",
                        #"{"name":"providers/p/trips/t",\#(CannedEngine.underWay(reported: 1)),"x":"Bearer \#(token)"}"#
                    )
                default: ("200 OK", #"{"name":"providers/p/trips/t","tripStatus":"COMPLETE","x":["\#(token)"]}"#)
                }
            return "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nX-Token: \(token)\r\n"
                + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
        }
    }

    private static func account(in folder: URL, _ key: String) throws -> String {
        let account = [
            "type": "service_account", "project_id": "p", "client_email": "tester@p.iam.gserviceaccount.com",
            "private_key_id": "key-1", "private_key": key,
        ]
        let file = folder.appending(path: "account.json")
        try JSONSerialization.data(withJSONObject: account).write(to: file)
        return file.path
    }

    @Test func `recording, ring, exports, reports, pictures and outputs have no part of a token or a key`() async throws
    {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation
        try await Program.withFolder { folder in
            let (service, secrets) = (Service(), folder.appending(path: "secrets"))
            try FileManager.default.createDirectory(at: secrets, withIntermediateDirectories: true)
            let account = try Self.account(in: secrets, key)
            let files = folder.appending(path: "files")
            try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
            func path(_ name: String) -> String { files.appending(path: name).path }
            let formats = ExportFormat.allCases.map(\.rawValue)
            var steps = [
                "size 160x40", "wait on the way", "pause 3", "key 3", "pause 0.5", "key 5", "pause 0.5", "key 1",
            ]
            steps += ["key :", "type picture \(path("picture.txt"))", "key Enter", "svg \(path("picture.svg"))"]
            for format in formats {
                steps += [
                    "key :", "type export \(format) \(path("live.\(format)"))", "key Enter", "wait live.\(format)",
                ]
            }
            steps += ["key w", "key y", "wait Saved as tripshare-", "wait complete", "dump \(path("end.txt"))"]
            try Data((steps.joined(separator: "\n") + "\n").utf8).write(to: secrets.appending(path: "script"))
            let recording = path("ride.ndjson")
            try await CannedServer.run(.answer { service.answer($0) }) { server in
                let watch = [
                    "watch", "t", "--provider-id", "p", "--service-account", account, "--fleet-engine-url",
                    "http://127.0.0.1:\(server.port)", "--interval", "1", "--lang", "en",
                ]
                let shown = try await Self.finish(
                    watch + ["--script", secrets.appending(path: "script").path, "--record", recording],
                    in: files
                )
                #expect(shown.status == 0, "\(shown.errors)")
                let expectations = secrets.appending(path: "expect.yaml")
                try Data("expect:\n  - {status: COMPLETE, within: 60}\n".utf8).write(to: expectations)
                for report in ["report.xml", "report.json"] {
                    let line = try await Self.finish(
                        watch + ["--output", "json", "--expect", expectations.path, "--report", path(report)],
                        in: files
                    )
                    #expect(line.status == 0, "\(line.errors)")
                }
            }
            for format in formats {
                let run = try await Self.finish(
                    ["export", recording, "--format", format, "--output-file", path("export.\(format)")],
                    in: files
                )
                #expect(run.status == 0, "\(format): \(run.errors)")
            }
            // The screen showed what the recording must not contain, so that its pictures may differ.
            _ = try await Self.finish(["verify", recording], in: files)
            _ = try await Self.finish(["replay", recording, "--output", "json", "--speed", "600"], in: files)

            var pieces = Pieces()
            #expect(!service.tokens.isEmpty && service.tokens.allSatisfy { $0.count > 300 })
            // The header is the same in all tokens of a key and no secret.
            for token in service.tokens {
                for part in token.split(separator: ".").dropFirst() { pieces.add(part.utf8) }
            }
            pieces.add(key.split(whereSeparator: \.isNewline).dropFirst().dropLast().joined().utf8)
            #expect(pieces.count > 1000)
            let names = try FileManager.default.subpathsOfDirectory(atPath: files.path)
            #expect(names.count > 2 * formats.count + 8, "\(names)")
            for file in names.map({ files.appending(path: $0) })
            where try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
                let bytes = try Data(contentsOf: file)
                #expect(pieces.found(in: bytes) == nil, "\(file.path)")
                // What the test itself redirected has the mode of a shell's files.
                if ["out", "err"].contains(file.pathExtension) { continue }
                // They show where people drive.
                let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
                #expect(mode == 0o600, "\(file.path)")
            }
            // The search finds what it must find.
            #expect(pieces.found(in: try Data(contentsOf: URL(filePath: account))) != nil)
        }
    }

    /// Runs the program; its outputs are files of the folder, which is also its current one.
    private static func finish(_ arguments: [String], in folder: URL) async throws -> Program.Run {
        let arguments = ["-c", #"cd "$0" && exec "$@""#, folder.path, Program.path] + arguments
        return try await RunningProgram(path: "/bin/sh", arguments, in: folder).result()
    }
}
