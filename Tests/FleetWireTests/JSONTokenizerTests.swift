import Runtime
import Testing
import TripTestSupport

@Suite("JSON tokenizer", .ends(within: .quickTest))
struct JSONTokenizerTests {
    /// One letter for each byte of a text.
    private func events(_ text: String) -> String {
        var tokenizer = JSONTokenizer()
        return String(
            text.utf8.map { byte in
                switch tokenizer.consume(byte) {
                case .opening: "o"
                case .closing: "c"
                case .mismatch: "!"
                case .comma: ","
                case .startOfString: "<"
                case .text: "t"
                case .escape: "e"
                case .endOfString: ">"
                case .other: "."
                }
            }
        )
    }

    @Test(arguments: [
        (#"{"a":[1,true]}"#, "o<t>.o.,....cc"),
        (#" [ ] , {} "#, ".o.c.,.oc."),
        (#""[{,é""#, "<ttttt>"),
        (#""a\n\"b""#, "<teeeet>"),
        (#""\u00e9x""#, "<eeeeeet>"),
        // A string ends at its quotation mark, also within an escape sequence that is not complete.
        (#""\u0"1"#, "<eee>."),
        (#"[}]"#, "o!!"),
        (#"]"#, "!"),
    ])
    func `each byte has its meaning`(text: String, expected: String) { #expect(events(text) == expected) }

    @Test func `depth and string are known at any byte`() {
        var tokenizer = JSONTokenizer()
        for byte in Array(#"[{"a"#.utf8) { _ = tokenizer.consume(byte) }
        #expect(tokenizer.depth == 2 && tokenizer.isInString)
        for byte in Array(#"":0}"#.utf8) { _ = tokenizer.consume(byte) }
        #expect(tokenizer.depth == 1 && !tokenizer.isInString)
    }
}
