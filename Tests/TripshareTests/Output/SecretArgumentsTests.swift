import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@testable import tripshare

/// A key in place of its file, or in another wrong place of the command line, is not repeated.
@Suite("Secrets in arguments", .ends(within: .longTest))
struct SecretArgumentsTests {
    /// A made-up key in PEM format.
    private static let key: String = {
        var random = SeededGenerator(seed: 7)
        let bytes = Data((0..<1200).map { _ in UInt8.random(in: 0...255, using: &random) })
        return "-----BEGIN PRIVATE KEY-----\n\(wrapped(bytes, 64))\n-----END PRIVATE KEY-----\n"
    }()

    private static let account = #"{"private_key":"\#(key.replacing("\n", with: "\\n"))"}"#

    /// Returns base64 in lines.
    private static func wrapped(_ bytes: Data, _ width: Int) -> String {
        let letters = Array(bytes.base64EncodedString())
        return stride(from: 0, to: letters.count, by: width)
            .map { String(letters[$0..<min($0 + width, letters.count)]) }.joined(separator: "\n")
    }

    private static let secrets: [String] = [
        key, account, wrapped(Data(key.utf8), 76), wrapped(Data(account.utf8), 76),
        Data(key.utf8).base64EncodedString(), String(wrapped(Data(key.utf8), 76).prefix(76)),
        "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ0In0.c2lnbmF0dXJl", "ya29.a0AfH6SMBx4-ab",
        "Mfa4Qx7Lr2Kp9ZtB6vWc3NyH8sEj5UgD1mXo0iRe",
    ]

    @Test(arguments: secrets.indices)
    func `no value that may be a secret is shown`(_ index: Int) {
        let secret = Self.secrets[index]
        for text in [secret, " " + secret, "./" + secret, "keys/" + secret] {
            #expect(excerpt(path: text) == hiddenValue, "\(text)")
            #expect(excerpt(value: text) == hiddenValue, "\(text)")
        }
        #expect(pasteable(secret) == "FILE")
        #expect(withoutSecretArguments("Unexpected ‘\(secret)’", ["--a", secret]) == "Unexpected ‘<hidden>’")
        #expect(withoutSecretArguments("Bad ‘\(secret)’", ["--a=\(secret)"]) == "Bad ‘<hidden>’")
    }

    @Test func `paths and names are shown`() async throws {
        for path in [
            "key.json", "/no/such/key.json", "../keys/consumer-2026-11-25.json", "a b/ключ.json", "-", "",
            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "/dev/fd/63",
        ] {
            #expect(excerpt(path: path) == path)
            #expect(withoutSecretArguments("Unexpected ‘\(path)’", [path]) == "Unexpected ‘\(path)’")
        }
        try await Program.withFolder { folder in
            let path = folder.path + "/Mfa4Qx7Lr2Kp9ZtB6vWc3NyH8sEj5UgD1mXo0iRe.json"
            #expect(excerpt(path: path) == path && pasteable(path) == path)
            #expect(excerpt(path: folder.path + "/no/" + String(repeating: "folder/", count: 40)) == hiddenValue)
        }
    }

    /// Command lines that are refused, with `SECRET` in place of a value.
    private static let commands: [[String]] = [
        ["watch", "t", "--provider-id", "p", "--once", "--service-account", "SECRET"],
        ["watch", "t", "--provider-id", "p", "--once", "--token-file", "SECRET"],
        ["watch", "t", "--provider-id", "p", "--once", "--token-env", "SECRET", "--output", "json"],
        ["watch", "t", "--provider-id", "p", "--once", "--token-command", "SECRET"],
        ["watch", "t", "--provider-id", "p", "--once", "--token-url", "SECRET"],
        ["watch", "t", "--provider-id", "p", "--once", "--token-header", "X=env:SECRET", "--token-url", "https://t"],
        ["watch", "--emulator", "SECRET"],
        ["watch", "--trips-file", "SECRET", "--provider-id", "p", "--token-env", "T"],
        ["emulate", "--account", "consumer=SECRET"], ["demo", "--scenario", "SECRET"], ["demo", "--speed", "SECRET"],
        ["token", "mint", "--service-account=SECRET", "--trip", "t"], ["token", "fetch", "--trip", "t", "SECRET"],
        ["replay", "SECRET"], ["SECRET"],
    ]

    @Test func `no command repeats a secret in its error`() async throws {
        // The forms that are the hardest to recognize: many short lines.
        let secret = Self.secrets[2]
        let letters = Array(secret)
        let pieces = (0..<(letters.count - 16)).map { String(letters[$0..<($0 + 16)]) }
        for words in Self.commands {
            let run = try await Program.run(words.map { $0.replacing("SECRET", with: secret) })
            #expect(run.status != 0 && !run.errors.isEmpty, "\(words)")
            for text in [run.errors, run.output] {
                #expect(!pieces.contains { text.contains($0) }, "\(words): \(text)")
            }
        }
    }

    @Test(arguments: ["CONFIG", "THEME", "INTERVAL", "LANG", "BASEMAPS", "THRESHOLDS", "FLEET_ENGINE_URL"])
    func `no variable is repeated if it has a secret`(_ name: String) async throws {
        let secret = Self.secrets[2]
        let run = try await Program.run(
            ["watch", "t", "--provider-id", "p", "--once", "--token-env", "NONE"],
            environment: ["TRIPSHARE_\(name)": secret]
        )
        #expect(run.status != 0 && !run.errors.isEmpty)
        for line in secret.split(separator: "\n") { #expect(!run.errors.contains(line.prefix(16)), "\(run.errors)") }
    }
}
