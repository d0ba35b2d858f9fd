import Testing
import TripTestSupport

@testable import tripshare

/// Why a helper program failed: the end of its standard error.
@Suite("Standard error of helpers", .ends(within: .longTest))
struct ErrorTailTests {
    private func text(_ chunks: String..., environment: [String: String] = [:]) -> String? {
        var tail = ErrorTail()
        for chunk in chunks { tail.append(chunk.utf8) }
        return tail.text(environment: environment)
    }

    @Test func `has the last three lines in their order, and nothing for blank ones`() {
        #expect(text("one\ntwo\r\n\n  three\t\nfo", "ur\n") == "two · three · four")
        #expect(text("10 %\r20 %\rgone") == "10 % · 20 % · gone", "a progress bar returns to the start of its line")
        #expect(text() == nil && text(" \n\r\n") == nil)
    }

    @Test func `retains the end of a program that writes without end`() {
        var tail = ErrorTail()
        for number in 0..<20_000 { tail.append("line \(number)\n".utf8) }
        tail.append("the reason\n".utf8)
        #expect(tail.text() == "line 19998 · line 19999 · the reason")
        var long = ErrorTail()
        long.append(Array(repeating: UInt8(ascii: "x"), count: 100_000))
        #expect(long.text() == nil, "the line began before what is retained")
    }

    @Test func `is short enough for a message, and the last line comes first`() {
        let long = String(repeating: "ab ", count: 80)
        #expect(text("\(long)\n\(long)\nthe reason") == long.dropLast() + " · the reason")
        #expect((text(String(repeating: "ab ", count: 1000)) ?? "").count == 281, "with an ellipsis")
    }

    @Test(arguments: [
        ("\u{1B}[31;1merror\u{1B}[0m: no login", "error: no login"),
        ("\u{1B}]0;title\u{07}error", "error"), ("a\u{08}b\u{7F}\u{202E}c", "a␈b␡\\u{202E}c"),
        ("\u{1B}[2J\u{1B}[Hgone", "gone"), ("a\0b", "ab"),
    ])
    func `has no control characters`(written: String, shown: String) { #expect(text(written) == shown) }

    @Test(arguments: [
        "Authorization: Bearer abcdefgh12345678", "token eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJhIn0.c2lnbmF0dXJl",
        "ya29.a0AfH6SMBxabcdefghijklmnopqrstuvwxyz", "AIzaSyA1234567890abcdefghijklmnopqrstuv",
        "password=hunter2secret", "Password: hunter2secret", "curl --password hunter2secret https://a.example",
        "curl -u joe:hunter2secret", "https://joe:hunter2secret@b.example/x", #"{"client_secret":"hunter2secret"}"#,
        "--client-secret hunter2secret", "DB_PASSWORD=hunter2secret", "PASSPHRASE is hunter2secret",
        "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nhunter2secret\n-----END PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nhunter2secret",
        "MIIEvQIBADANBgkqhkiG9w0B\nhunter2secret\n-----END PRIVATE KEY-----\nbad key",
    ])
    func `has no tokens, keys and passwords`(written: String) {
        let shown = text("failed\n" + written, environment: ["MY_PASSPHRASE_SECRET": "hunter2secret"]) ?? ""
        for secret in [
            "hunter2secret", "abcdefgh12345678", "c2lnbmF0dXJl", "eyJpc3MiOiJhIn0", "a0AfH6SMB", "SyA123456", "MIIEvQ",
        ] {
            #expect(!shown.contains(secret), "\(shown)")
        }
        #expect(!shown.isEmpty)
    }

    @Test func `a word about a token stays readable`() {
        #expect(text("error: invalid_grant: Token has been expired or revoked.") != nil)
        let words =
            "ERROR: (gcloud.auth) There was a problem refreshing your current auth tokens: Reauthentication failed."
        #expect(text(words) == words)
    }
}
