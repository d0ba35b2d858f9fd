import Failures
import Runtime
import Testing
import TripModel
import TripTestSupport

/// Generates bodies with secrets and checks that none of them remains.
@Suite("Secrecy of exchanges", .ends(within: .quickTest))
struct ExchangeSecrecyTests {
    private struct Generator {
        var random: SeededGenerator

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

        mutating func letters(_ count: Int) -> String {
            let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
            return String((0..<count).map { _ in letters[number(0..<64)] })
        }

        /// Returns a text with a secret, and the secret.
        mutating func secret() -> (text: String, secret: String) {
            let jwt = "eyJhbGciOiJSUzI1NiJ9.eyJ\(letters(40)).\(letters(342))"
            let word = letters(number(8..<60))
            switch number(0..<9) {
            case 0: return ("Bearer \(jwt)", jwt)
            case 1: return (#""jwt":"\#(jwt)""#, jwt)
            case 2: return (#""access_token" : "\#(word)""#, word)
            case 3: return ("https://host.example/file?X-Goog-Signature=\(word)&a=1", word)
            case 4: return ("Authorization: Basic \(word)\n", word)
            case 5: return (#"{\"api_key\":\"\#(word)\"}"#, word)
            case 6: return ("https://user:\(word)@host.example/", word)
            case 7: return ("AIza\(letters(35))", "AIza")
            default: return ("password='\(word)'", word)
            }
        }

        mutating func filler() -> String {
            let parts = [
                "The service is not available. ", "<p>upstream</p> ", #""code": 503, "#, "\u{1B}[31m", "\u{202E}", "\0",
                "ümläut 日本語 ", "\r\n", "trip-airport-1 ", "\u{9B}",
            ]
            return (0..<number(0..<200)).map { _ in parts[number(0..<parts.count)] }.joined()
        }
    }

    @Test(arguments: 0..<300)
    func `a body has no secrets, no control characters and a bounded length`(_ seed: Int) throws {
        var generator = Generator(seed: UInt64(seed) &* 0x9E37_79B9 &+ 1)
        let (text, secret) = generator.secret()
        let before = generator.filler().replacing("\0", with: "")
        let body = before + " " + text + " " + generator.filler().replacing("\0", with: "")
        let type = ["text/html", "application/json", "text/plain"][seed % 3]
        let answer = Exchange.Answer(status: 500, headers: [("content-type", type)], body: Array(body.utf8))
        let described = try #require(answer.body)
        guard case .text(let stored) = described.content else {
            Issue.record("a text is not binary")
            return
        }
        #expect(stored.utf8.count <= Exchange.Body.longestText)
        #expect((described.message?.unicodeScalars.count ?? 0) <= Exchange.Body.longestMessage + 1)
        for shown in [stored, described.message ?? ""] {
            // A secret of eight letters could occur by chance, but not in these texts.
            #expect(!shown.contains(secret), "\(text) in \(shown)")
            let controls = shown.unicodeScalars.filter { $0.value < 0x20 || $0.value == 0x9B || $0.value == 0x202E }
            #expect(controls.allSatisfy { $0 == "\n" })
        }
    }

    @Test(arguments: [2040, 2044, 2048, 2200, 2500, 2556])
    func `a secret at the end of the stored text is recognized although it continues`(position: Int) throws {
        var generator = Generator(seed: 9)
        let secret = generator.letters(700)
        for text in ["eyJhbGciOiJSUzI1NiJ9.eyJ\(secret)", #""token":"\#(secret)""#, secret] {
            let body = String(repeating: "a ", count: position / 2) + text
            let answer = Exchange.Answer(status: 500, headers: [], body: Array(body.utf8))
            guard case .text(let stored)? = answer.body?.content else {
                Issue.record("a text is not binary")
                return
            }
            for start in stride(from: 0, to: 40, by: 8) {
                #expect(!stored.contains(secret.dropFirst(start).prefix(8)))
            }
        }
    }

    @Test func `random bytes of any length are described`() {
        var generator = Generator(seed: 4)
        for _ in 0..<400 {
            let bytes = (0..<generator.number(0..<5000)).map { _ in UInt8(generator.number(0..<256)) }
            let answer = Exchange.Answer(status: 502, headers: [], body: bytes)
            #expect(answer.bytes == bytes.count && answer.body?.bytes == bytes.count)
        }
    }

    @Test func `broken markup and deeply nested JSON end in bounded time`() {
        for body in [
            String(repeating: "<script", count: 9000), String(repeating: "<", count: 60_000),
            String(repeating: "[", count: 60_000), String(repeating: #"{"error":"#, count: 7000),
            String(repeating: "token=", count: 10_000), String(repeating: "\\\"token\\\":\\\"", count: 5000),
            "<title>" + String(repeating: "<!-- ", count: 9000),
        ] {
            let answer = Exchange.Answer(status: 500, headers: [], body: Array(body.utf8))
            #expect(answer.body?.bytes == body.utf8.count)
        }
    }
}
