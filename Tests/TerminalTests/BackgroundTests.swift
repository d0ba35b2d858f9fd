import Terminal
import Testing
import TripTestSupport

@Suite("Background of the terminal", .ends(within: .quickTest))
struct BackgroundTests {
    /// The colors of an answer, and what they are.
    static let colors: [(String, Background?)] = [
        ("rgb:ffff/ffff/ffff", .light), ("rgb:fff/fff/fff", .light), ("rgb:FF/ff/Ff", .light), ("rgb:f/f/f", .light),
        ("rgb:0000/0000/0000", .dark), ("rgb:0/0/0", .dark), ("rgb:1e1e/1e1e/2e2e", .dark),
        ("rgb:fdf6/e3/e", .light), ("rgb:00ff/00ff/00ff", .dark), ("rgba:ffff/ffff/ffff/0000", .light),
        // Green is bright, blue is not.
        ("rgb:00/ff/00", .light), ("rgb:00/00/ff", .dark),
        ("rgb:ffff/ffff", nil), ("rgb:ffff/ffff/ffff/ffff", nil), ("rgb:fffff/0/0", nil), ("rgb://", nil),
        ("rgb:+f/0/0", nil), ("rgb:-1/0/0", nil), ("rgb:g/0/0", nil), ("rgb:f/f/f:0", nil), ("hsl:f/f/f", nil),
        ("#ffffff", nil), ("", nil), ("?", nil), ("rgb:f/f/f\u{301}", nil),
    ]

    @Test(arguments: colors)
    func `reads the colour in an answer with one to four digits, ended by BEL or ST`(color: String, told: Background?) {
        for end in ["\u{7}", "\u{1B}\\"] {
            var decoder = InputDecoder()
            let events = decoder.feed("\u{1B}]11;\(color)\(end)q".utf8)
            #expect(events == (told.map { [.background($0)] } ?? []) + [.key(Key("q"))], "\(color)")
            #expect(decoder.timeout(escapeDelay: 25) == nil)
        }
    }

    @Test(arguments: [
        ("\u{1B}[?997;1n", [TerminalEvent.background(.dark)]), ("\u{1B}[?997;2n", [.background(.light)]),
        ("\u{1B}[?997;3n", []), ("\u{1B}[?997n", []), ("\u{1B}[?997;12n", []), ("\u{1B}[997;1n", []),
        ("\u{1B}[?997;1;2n", []), ("\u{1B}[?996n", []), ("\u{1B}[?997;1$y", []), ("\u{1B}[0n", []),
    ])
    func `reads reports about the colour scheme`(text: String, events: [TerminalEvent]) {
        var decoder = InputDecoder()
        #expect(decoder.feed(text.utf8) == events)
        #expect(decoder.feed("q".utf8) == [.key(Key("q"))])
    }

    @Test(arguments: [
        "]10;rgb:ffff/ffff/ffff", "]4;11;rgb:f/f/f", "]1;rgb:f/f/f", "P11;rgb:f/f/f", "_11;rgb:f/f/f",
        "]0;11;rgb:f/f/f",
        "]11;rgb:ff\u{1B}ff/0/0",
    ])
    func `other strings say nothing about the background`(text: String) {
        var decoder = InputDecoder()
        #expect(decoder.feed("\u{1B}\(text)\u{1B}\\".utf8).isEmpty)
        #expect(decoder.feed("\u{1B}\(text)\u{18}q".utf8) == [.key(Key("q"))])
    }

    @Test func `an answer may come in any parts`() {
        let text = "a\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}[?997;1nb"
        let expected: [TerminalEvent] = [.key(Key("a")), .background(.light), .background(.dark), .key(Key("b"))]
        let bytes = Array(text.utf8)
        for split in 0...bytes.count {
            var decoder = InputDecoder()
            #expect(decoder.feed(bytes[..<split]) + decoder.feed(bytes[split...]) == expected, "\(split)")
        }
        var single = InputDecoder()
        #expect(bytes.flatMap { single.feed([$0]) } == expected)
    }

    @Test func `a flood of answers and an endless one take bounded memory and leave the keys`() {
        var decoder = InputDecoder()
        let answers = String(repeating: "\u{1B}]11;rgb:f/f/f\u{7}\u{1B}[?997;1n", count: 5000)
        #expect(decoder.feed(answers.utf8).count == 10_000)
        #expect(decoder.feed("\u{1B}]11;rgb:".utf8).isEmpty)
        #expect(decoder.feed(Array(repeating: 0x66, count: 3000)).isEmpty)
        #expect(decoder.feed("/f/f\u{7}q".utf8) == [.key(Key("q"))])
        // A string of more than 4 KiB is dropped, and what follows is typed.
        #expect(decoder.feed("\u{1B}]11;".utf8).isEmpty)
        let rest = decoder.feed(Array(repeating: 0x66, count: 5000))
        #expect(rest.allSatisfy { $0 == .key(Key("f")) } && rest.count < 1000)
    }
}
