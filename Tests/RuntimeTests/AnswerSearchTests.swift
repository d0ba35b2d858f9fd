import Runtime
import Testing
import TripTestSupport

@Suite("Search of answers for secrets", .ends(within: .minutes(10)))
struct AnswerSearchTests {
    private static let secret = "Zk3_9xQw-7LmB2vTnR8sHyJ4dPfGcUa6E1oXiKq5"

    /// Parts of bodies: fragments of the secret, starts of tokens, escapes, control characters and invalid UTF-8.
    private static let parts: [[UInt8]] =
        [
            secret, String(secret.prefix(16)), String(secret.prefix(9)), String(secret.suffix(12)), secret.lowercased(),
            "eyJ", "ey", "e", "J", #"\"#, #"\u005a"#, "%5A", "%65", "%4", "%", "%zz", " ", "\r\n", "\u{0}",
            "\u{1B}[31m",
            #"{"name":"providers/p/trips/t-1","#, #""tripStatus":"NEW"}"#, "4e", "é", "…",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xE2, 0x80], [0xED, 0xA0, 0x80]]

    @Test(arguments: [true, false])
    func `one pass finds what a search for tokens and one for secrets find`(_ isKnown: Bool) {
        let secrets = KnownSecrets()
        if isKnown { secrets.add(token: Self.secret) }
        var random = SeededGenerator(seed: 7)
        var counts = [true: 0, false: 0]
        for _ in 0..<20_000 {
            var body: [UInt8] = []
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                let part = Self.parts.randomElement(using: &random) ?? []
                let isSplit = Int.random(in: 0..<4, using: &random) == 0
                body += isSplit ? part.flatMap { [$0, UInt8(ascii: " ")] } : part
            }
            let isToken = body.indices.contains { body[$0...].starts(with: "eyJ".utf8) }
            let expected = isToken || body.contains(UInt8(ascii: #"\"#)) || secrets.occur(in: body)
            #expect(secrets.mayOccur(in: body) == expected, "\(body)")
            counts[expected, default: 0] += 1
        }
        #expect(counts.values.allSatisfy { $0 > 1000 })
    }

    @Test func `finds a secret whose letters are percent-encoded or far apart`() {
        let secrets = KnownSecrets()
        secrets.add(token: Self.secret)
        let encoded = Self.secret.utf8.map { "%\(String($0, radix: 16))" }.joined()
        #expect(secrets.mayOccur(in: Array(encoded.utf8)))
        #expect(secrets.mayOccur(in: Self.secret.utf8.flatMap { [$0, 0x0A, 0xFF] }))
        #expect(!secrets.mayOccur(in: Array(#"{"name":"providers/p/trips/t-1"}"#.utf8)))
    }
}
