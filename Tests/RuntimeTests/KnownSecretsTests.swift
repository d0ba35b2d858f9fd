import Foundation
import Runtime
import Testing
import TripTestSupport

@Suite("Known secrets", .ends(within: .quickTest))
struct KnownSecretsTests {
    /// A random signature with the length of an RS256 signature.
    private static func signature(_ seed: UInt64) -> String {
        var random = SplitMix(state: seed)
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        return String((0..<342).map { _ in letters[Int(random.next() % 64)] })
    }

    private static func token(_ seed: UInt64) -> String { "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJhIn0.\(signature(seed))" }

    private static func secrets(_ seeds: UInt64...) -> KnownSecrets {
        let secrets = KnownSecrets()
        for seed in seeds { secrets.add(token: token(seed)) }
        return secrets
    }

    @Test func `replaces every part of 16 characters, at every position`() {
        let secrets = Self.secrets(1)
        let signature = Array(Self.signature(1))
        for start in 0...(signature.count - 16) {
            let piece = String(signature[start..<(start + 16)])
            // The quotation mark ends the part: another character could continue the signature by chance.
            #expect(secrets.redacted("status ‘\(piece)’") == "status ‘<token>’")
        }
    }

    @Test(arguments: ["", "x", "xy", "xyz", "wxyz", "vwxyz", "uvwxyz"])
    func `a key is hidden at each offset, and the words around it are not`(_ before: String) {
        let body = Self.signature(3)
        let secrets = KnownSecrets()
        secrets.add(token: "\(before)-----BEGIN PRIVATE KEY-----\n\(body)\n-----END PRIVATE KEY-----\n")
        let advice = "Sign with the private key that kid and iss name, or with another certificate."
        #expect(secrets.redacted(advice) == advice)
        for start in 0...(body.count - 16) {
            let piece = String(body.dropFirst(start).prefix(16))
            #expect(secrets.redacted("‘\(piece)’") == "‘<token>’")
        }
    }

    @Test(arguments: [
        "token-for-trip-airport-1", "token_trip-airport-1", "trip-airport-1-for-a-test", "a-trip-airport-1-b",
    ])
    func `leaves an ID readable that a token contains, and replaces everything else of the token`(_ token: String) {
        let secrets = KnownSecrets()
        secrets.exemptFromRedaction(id: "trip-airport-1")
        secrets.add(token: token)
        for text in [
            "trip-airport-1", "/v1/providers/p/trips/trip-airport-1", #"{"name":"providers/p/trips/trip-airport-1"}"#,
        ] {
            #expect(secrets.redacted(text) == text)
        }
        #expect(secrets.redacted("Bearer \(token)!") == "Bearer <token>!")
        let letters = Array(token)
        for start in 0...(letters.count - 16) {
            let piece = String(letters[start..<(start + 16)])
            #expect(secrets.redacted("‘\(piece)’").contains("<token>"), "\(piece)")
        }
    }

    @Test func `an ID that is a complete token remains secret`() {
        let secrets = KnownSecrets()
        secrets.exemptFromRedaction(id: "opaque-token-of-someone")
        secrets.add(token: "opaque-token-of-someone")
        #expect(secrets.redacted("opaque-token-of-someone") == "<token>")
    }

    @Test func `leaves a bounded number of IDs readable`() {
        let secrets = KnownSecrets()
        for number in 1...64 { secrets.exemptFromRedaction(id: "trip-airport-\(number)") }
        secrets.exemptFromRedaction(id: "another-trip-elsewhere")
        secrets.add(token: "token-for-trip-airport-64")
        secrets.add(token: "token-for-another-trip-elsewhere")
        #expect(secrets.redacted("trip-airport-64") == "trip-airport-64")
        #expect(secrets.redacted("another-trip-elsewhere") == "<token>")
    }

    @Test(arguments: [16, 17, 25, 64, 341, 342])
    func `leaves no 16 characters of longer parts`(_ length: Int) {
        let secrets = Self.secrets(1)
        let signature = Self.signature(1)
        for start in stride(from: 0, through: 342 - length, by: 5) {
            let piece = signature.dropFirst(start).prefix(length)
            let text = secrets.redacted("x \(piece) y")
            #expect(text == "x <token> y")
        }
    }

    @Test func `recognizes a part in another case, escaped, or split by other characters`() {
        let secrets = Self.secrets(1)
        let piece = String(Self.signature(1).dropFirst(100).prefix(24))
        let hex = piece.utf8.map { "%" + String($0, radix: 16) }.joined()
        let unicode = piece.utf8.map { "\\u00" + String($0, radix: 16, uppercase: true) }.joined()
        let spaced = piece.map { "\($0) " }.joined()
        let hidden = piece.map { "\($0)\u{200B}" }.joined()
        let base64 = piece.replacing("-", with: "+").replacing("_", with: "/")
        for form in [piece.uppercased(), piece.lowercased(), hex, hex.uppercased(), unicode, base64] {
            #expect(secrets.redacted("a \(form) z") == "a <token> z", "\(form)")
        }
        for form in [spaced, hidden] {
            let text = secrets.redacted("( \(form))")
            let left = text.replacing("<token>", with: "").count { $0.isLetter || $0.isNumber || "-_".contains($0) }
            #expect(text.contains("<token>") && left < 16, "\(form)")
        }
    }

    @Test func `leaves other text unchanged`() {
        let secrets = Self.secrets(1, 2, 3)
        let words = "projects/p/trips/trip-7f3a 100% \\u0041 \\ % %4 \\u00 東京 eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJhIn0."
        #expect(secrets.redacted(words) == words)
        #expect(secrets.redacted(Self.signature(4)) == Self.signature(4))
        let short = String(Self.signature(1).prefix(9))
        #expect(secrets.redacted("a text with \(short) in it") == "a text with \(short) in it")
        #expect(KnownSecrets().redacted(Self.signature(1)) == Self.signature(1))
    }

    @Test func `recognizes an opaque token and a header value as a whole, but not short ones`() {
        let secrets = KnownSecrets()
        secrets.add(token: "q7Hc2-session-9fJk20aZ")
        secrets.add(Array("Basic dXNlcjpodW50ZXIyIQ==".utf8))
        secrets.add(token: "short")
        secrets.add(token: "................................................")
        #expect(secrets.redacted("got q7Hc2-session-9fJk20aZ back") == "got <token> back")
        #expect(secrets.redacted("echo: dXNlcjpodW50ZXIyIQ==") == "echo: <token>==")
        let text = "a short text............................"
        #expect(secrets.redacted(text) == text)
    }

    @Test func `recognizes the latest 4,000 tokens and bounds its memory`() {
        let secrets = KnownSecrets()
        for seed in 0..<9000 as Range<UInt64> { secrets.add(token: Self.token(seed)) }
        for seed in stride(from: 5000 as UInt64, to: 9000, by: 371) {
            #expect(secrets.redacted(Self.signature(seed)) == "<token>")
        }
        // This token is older than the two generations that are kept.
        #expect(secrets.redacted(Self.signature(0)) == Self.signature(0))
    }

    @Test func `searches a long text once and counts a repeated token once`() {
        let secrets = Self.secrets(1)
        for _ in 0..<10_000 { secrets.add(token: Self.token(1)) }
        secrets.add(token: Self.token(2))
        #expect(secrets.redacted(Self.signature(1)) == "<token>")
        let half = Self.signature(1).dropLast(8)
        let text = String(repeating: "\(half) . %", count: 4000)
        let clock = ContinuousClock()
        var result = ""
        let time = clock.measure { result = secrets.redacted(text) }
        #expect(!result.lowercased().contains(half.prefix(16).lowercased()))
        #expect(time < .seconds(60), "\(time)")
    }

    private struct SplitMix {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }
}
