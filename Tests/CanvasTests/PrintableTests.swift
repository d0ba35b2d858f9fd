import Canvas
import Runtime
import Testing
import TripTestSupport

@Suite("Untrusted text", .ends(within: .quickTest))
struct PrintableTests {
    @Test(arguments: [
        ("\u{1B}[2J\u{1B}]0;owned\u{7}", "␛[2J␛]0;owned␇"),
        ("a\tb\r\nc\u{0}", "a␉b␍␊c␀"),
        ("\u{7F}\u{9B}31m\u{85}", "␡\\u{9B}31m\\u{85}"),
        ("abc\u{202E}cba\u{2066}x\u{2069}\u{200F}", "abc\\u{202E}cba\\u{2066}x\\u{2069}\\u{200F}"),
        ("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{1F468}\\u{200D}\u{1F469}\\u{200D}\u{1F467}"),
        ("\u{2764}\u{FE0F}\u{1F44D}\u{1F3FD}", "\u{2764}\u{1F44D}"),
        ("line\u{2028}line\u{FEFF}", "line\\u{2028}line\\u{FEFF}"),
        ("e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}", "e\u{301}\u{301}\u{301}\u{301}"),
        ("\u{301}x", "x"),
        ("\u{E0041}\u{E0042}tag", "\\u{E0041}\\u{E0042}tag"),
        ("van\u{200D}1 van\u{AD}1", "van\\u{200D}1 van\\u{AD}1"),
        ("\u{378}", "\u{FFFD}"),
        ("Größe 東京 한국어 שלום", "Größe 東京 한국어 שלום"),
    ])
    func `untrusted text is made visible and sanitized`(raw: String, clean: String) {
        #expect(Array(Printable.clean(raw).unicodeScalars) == Array(clean.unicodeScalars))
        #expect(Printable.clean(clean) == clean)
    }

    @Test func `untrusted text is limited in length`() {
        let long = String(repeating: "\u{1B}", count: 200_000)
        #expect(Printable.clean(long).count == Printable.longest + 1)
        #expect(Printable.clean("abcdef", limit: 3) == "abc…")
    }

    @Test func `text is measured as it is drawn`() {
        #expect(TextWidth.of("") == 0)
        #expect(TextWidth.of("plain") == 5)
        #expect(TextWidth.of("東京e\u{301}") == 5)
        #expect(TextWidth.of("\u{1B}[0m") == 4)
        #expect(Printable.truncated("東京都", to: 4) == "東…")
        #expect(Printable.truncated("東京都", to: 0).isEmpty)
    }

    @Test func `text never breaks a line or leaves its columns, whatever its characters`() {
        var random = SplitMix(state: 7)
        for _ in 0..<300 {
            var text = ""
            for _ in 0..<60 {
                let bits = random.next()
                let value = UInt32(truncatingIfNeeded: bits >> 32) % (bits % 3 == 0 ? 0x300 : 0x11_0000)
                text.unicodeScalars.append(Unicode.Scalar(value) ?? "\u{1B}")
            }
            var canvas = Canvas(width: 30, height: 3)
            let used = canvas.put(text, x: 0, y: 1)
            #expect(used <= 30)
            let rows = canvas.text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(rows.count == 3)
            #expect(rows[0].isEmpty && rows[2].isEmpty)
            #expect(canvas.text.unicodeScalars.allSatisfy { $0 == "\n" || TextWidth.of($0) != nil })
            #expect(canvas.cells.reduce(0) { $0 + ($1.isContinuation ? 0 : 1) } <= 90)
        }
    }

    /// A small generator with a seed, so that a failure can be repeated.
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
