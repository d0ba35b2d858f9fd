import Testing
import TripTestSupport

@testable import Terminal

@Suite("Input decoder", .ends(within: .quickTest))
struct InputDecoderTests {
    @Test(arguments: [
        ("a", [Key("a")]), ("A", [Key("A")]), ("é", [Key("é")]), ("東", [Key("東")]), ("🚕", [Key("🚕")]),
        ("\r", [Key(.enter)]), ("\n", [Key(.enter)]), ("\t", [Key(.tab)]), ("\u{7F}", [Key(.backspace)]),
        ("\u{8}", [Key(.backspace)]), ("\u{0}", [Key(" ", .control)]), ("\u{1}", [Key("a", .control)]),
        ("\u{1B}[A", [Key(.up)]), ("\u{1B}OA", [Key(.up)]), ("\u{1B}[H", [Key(.home)]), ("\u{1B}[1~", [Key(.home)]),
        ("\u{1B}[4~", [Key(.end)]), ("\u{1B}[5~", [Key(.pageUp)]), ("\u{1B}[3;5~", [Key(.delete, .control)]),
        ("\u{1B}[1;2C", [Key(.right, .shift)]), ("\u{1B}[1;3D", [Key(.left, .alt)]), ("\u{1B}[Z", [Key(.tab, .shift)]),
        ("\u{1B}OP", [Key(.function(1))]), ("\u{1B}[[A", [Key(.function(1))]), ("\u{1B}[15~", [Key(.function(5))]),
        ("\u{1B}[24~", [Key(.function(12))]), ("\u{1B}x", [Key("x", .alt)]), ("\u{1B}é", [Key("é", .alt)]),
        ("\u{1B}\u{1B}[A", [Key(.up, .alt)]), ("\u{1B}[97;5u", [Key("a", .control)]), ("\u{1B}[27u", [Key(.escape)]),
        ("\u{1B}[a", [Key(.up, .shift)]), ("\u{1B}OM", [Key(.enter)]), ("\u{1B}Oq", [Key("1")]),
        ("\u{1B}[1;5R", [Key(.function(3), .control)]),
    ])
    func `decodes keys`(text: String, keys: [Key]) {
        var decoder = InputDecoder()
        #expect(decoder.feed(text.utf8) == keys.map { .key($0) })
        #expect(decoder.timeout(escapeDelay: 25) == nil)
    }

    @Test(arguments: [
        "\u{1B}[>77;1u", "\u{1B}[?62;22c", "\u{1B}[?2026;2$y",
        "\u{1B}P>|tmux 3.3a\u{1B}\\", "\u{1B}[24;80R", "\u{1B}[0n", "\u{1B}[8;24;80t", "\u{1B}[M !!",
        "\u{1B}_Gi=1;OK\u{1B}\\",
        "\u{1B}[999999999999999999999999;99999999999999999999~", "\u{1B}[<0;0;0M", "\u{1B}[<3;5;5M",
        "\u{1B}[<99999;1;1M",
        "\u{1B}[57441;1u", "\u{1B}[5A",
    ])
    func `drops answers of the terminal`(text: String) {
        var decoder = InputDecoder()
        #expect(decoder.feed(text.utf8).isEmpty)
        #expect(decoder.feed("q".utf8) == [.key(Key("q"))])
    }

    @Test func `decodes the mouse`() {
        var decoder = InputDecoder()
        let text =
            "\u{1B}[<0;10;5M\u{1B}[<32;11;5M\u{1B}[<0;11;5m\u{1B}[<64;280;3M\u{1B}[<65;1;1M\u{1B}[<18;2;2M\u{1B}[I\u{1B}[O"
        #expect(
            decoder.feed(text.utf8) == [
                .mouse(Mouse(action: .press(.left), x: 9, y: 4)), .mouse(Mouse(action: .drag(.left), x: 10, y: 4)),
                .mouse(Mouse(action: .release(.left), x: 10, y: 4)), .mouse(Mouse(action: .wheelUp, x: 279, y: 2)),
                .mouse(Mouse(action: .wheelDown, x: 0, y: 0)),
                .mouse(Mouse(action: .press(.right), x: 1, y: 1, modifiers: .control)),
                .focus(true), .focus(false),
            ]
        )
    }

    @Test func `decodes a paste as text, never as keys`() {
        var decoder = InputDecoder()
        let pasted = "trip-1\nq\u{1B}[A\u{1B}[20\u{1B}\u{1B}[201x宽"
        #expect(
            decoder.feed("a\u{1B}[200~\(pasted)\u{1B}[201~b".utf8) == [.key(Key("a")), .paste(pasted), .key(Key("b"))]
        )
    }

    @Test func `retains at most 1 MiB of a paste`() {
        var decoder = InputDecoder()
        #expect(decoder.feed("\u{1B}[200~".utf8).isEmpty)
        for _ in 0..<30 { #expect(decoder.feed(Array(repeating: 0x71, count: 100_000)).isEmpty) }
        let events = decoder.feed("\u{1B}[201~".utf8)
        guard case .paste(let text)? = events.first else {
            Issue.record("no paste")
            return
        }
        #expect(text.utf8.count == InputDecoder.maximumPasteBytes)
    }

    @Test func `recognizes the Escape key by a timeout`() {
        var decoder = InputDecoder()
        #expect(decoder.feed([0x1B]).isEmpty)
        #expect(decoder.timeout(escapeDelay: 25) == 25)
        #expect(decoder.expire() == [.key(Key(.escape))])
        #expect(decoder.timeout(escapeDelay: 25) == 1000)
        #expect(decoder.expire().isEmpty)
        #expect(decoder.timeout(escapeDelay: 25) == nil)
        #expect(decoder.feed("OA".utf8) == [.key(Key("O")), .key(Key("A"))])
        #expect(decoder.feed("\u{1B}[".utf8).isEmpty)
        #expect(decoder.timeout(escapeDelay: 25) == 100)
        #expect(decoder.expire() == [.key(Key("[", .alt))])
        #expect(decoder.expire().isEmpty)
        #expect(decoder.feed("\u{1B}[1;".utf8).isEmpty)
        #expect(decoder.expire().isEmpty && decoder.expire().isEmpty)
        #expect(decoder.feed("q".utf8) == [.key(Key("q"))])
    }

    /// Sequences of terminals: cursor keys, function keys, a click, answers to queries.
    @Test(arguments: [
        "\u{1B}[B", "\u{1B}OB", "\u{1B}[1;5C", "\u{1B}[15~", "\u{1B}[[A", "\u{1B}[3;5~", "\u{1B}[97;5u",
        "\u{1B}[24;80R",
        "\u{1B}]11;rgb:1010/1414/1818\u{7}", "\u{1B}]11;rgb:10/14/18\u{1B}\\", "\u{1B}P>|tmux 3.3a\u{1B}\\",
        "\u{1B}_Gi=1;OK\u{1B}\\", "\u{1B}[>77;1u", "\u{1B}[M !!",
    ])
    func `the rest of a sequence that comes late is never keys`(text: String) {
        let bytes = Array(text.utf8)
        for split in 1..<bytes.count {
            var decoder = InputDecoder()
            _ = decoder.feed(bytes[..<split])
            _ = decoder.expire()
            #expect(decoder.feed(bytes[split...]).isEmpty, "\(text.debugDescription) at \(split)")
            _ = decoder.expire()
            #expect(decoder.feed("q".utf8) == [.key(Key("q"))], "\(text.debugDescription) at \(split)")
        }
    }

    /// Key sequences, and answers of terminals, each byte of which comes so many milliseconds after the one before it.
    @Test(
        arguments: [
            "\u{1B}[B", "\u{1B}OB", "\u{1B}[1;5C", "\u{1B}[15~", "\u{1B}[[A", "\u{1B}[24;80R", "\u{1B}OP",
            "\u{1B}]11;rgb:10/14/18\u{1B}\\", "\u{1B}P>|tmux 3.3a\u{1B}\\", "\u{1B}_Gi=1;OK\u{1B}\\",
        ],
        [30, 120, 300, 399, 500, 900]
    )
    func `a sequence whose bytes come one at a time is never keys`(text: String, gap: Int) {
        // A pause of half a second after the first two characters of a string is not known to be one.
        guard gap < 400 || "[O".contains(text.dropFirst().first ?? " ") else { return }
        var decoder = InputDecoder()
        var events: [TerminalEvent] = []
        for byte in Array(text.utf8) {
            events += decoder.feed([byte])
            var left = gap
            while let timeout = decoder.timeout(escapeDelay: 25), timeout <= left {
                left -= timeout
                events += decoder.expire()
            }
        }
        var expected: [TerminalEvent] = [.key(Key(.escape))]
        if gap >= 400, let introducer = text.dropFirst().first { expected.append(.key(Key(introducer))) }
        #expect(events == expected, "\(text.debugDescription) every \(gap) ms")
    }

    @Test func `the same key twice after an Escape key is twice a key`() {
        for text in ["]", "P", "_"] {
            var decoder = InputDecoder()
            #expect(decoder.feed([0x1B]).isEmpty && decoder.expire() == [.key(Key(.escape))])
            let key = TerminalEvent.key(Key(text.first ?? " "))
            #expect(decoder.feed((text + text).utf8) == [key, key], "\(text)")
        }
    }

    @Test func `the rest of a paste that comes late is a paste`() {
        var decoder = InputDecoder()
        #expect(decoder.feed("\u{1B}[200~ab".utf8).isEmpty)
        #expect(decoder.expire() == [.paste("ab")])
        #expect(decoder.feed("B\nq\u{1B}[201~x".utf8) == [.paste("B\nq"), .key(Key("x"))])
    }

    @Test func `keys after an Escape key are keys`() {
        var decoder = InputDecoder()
        for text in ["B", "P", "[", "O", "]", "_"] {
            #expect(decoder.feed([0x1B]).isEmpty && decoder.expire() == [.key(Key(.escape))])
            let key = TerminalEvent.key(Key(text.first ?? " "))
            #expect(decoder.feed(text.utf8) + decoder.expire() == [key], "\(text)")
            while decoder.timeout(escapeDelay: 25) != nil { _ = decoder.expire() }
        }
        #expect(decoder.feed([0x1B]).isEmpty && decoder.expire() == [.key(Key(.escape))])
        #expect(decoder.feed([0x5B]).isEmpty && decoder.timeout(escapeDelay: 25) == 400)
        #expect(decoder.feed([0x1B]) == [.key(Key("["))] && decoder.expire() == [.key(Key(.escape))])
    }

    @Test func `an Escape before an incomplete character is not for the next key`() {
        var decoder = InputDecoder()
        #expect(decoder.feed([0x1B, 0xC3]).isEmpty && decoder.feed("q".utf8) == [.key(Key("q"))])
        #expect(decoder.feed([0x1B, 0xE0, 0x80, 0x80]).isEmpty && decoder.feed("q".utf8) == [.key(Key("q"))])
    }

    @Test func `waits longer for sequences after one has come late`() {
        var decoder = InputDecoder()
        _ = decoder.feed([0x1B])
        _ = decoder.expire()
        _ = decoder.feed("[B".utf8)
        #expect(decoder.feed([0x1B]).isEmpty && decoder.timeout(escapeDelay: 25) == 100)
        #expect(decoder.feed("[B".utf8) == [.key(Key(.down))])
    }

    @Test func `recovers after an unfinished sequence`() {
        for start in ["\u{1B}]0;", "\u{1B}P", "\u{1B}[<1;", "\u{1B}[200~", "\u{1B}[M", "\u{1B}O", "\u{C3}"] {
            var decoder = InputDecoder()
            _ = decoder.feed(start.utf8)
            while decoder.timeout(escapeDelay: 25) != nil { _ = decoder.expire() }
            #expect(decoder.feed("q".utf8).last == .key(Key("q")), "\(start.debugDescription)")
        }
    }

    @Test func `uses the keys of the terminal description`() {
        var decoder = InputDecoder(extraKeys: [Array("\u{1B}[@".utf8): Key(.insert), Array("\u{1B}OX".utf8): Key(.end)])
        #expect(decoder.feed("\u{1B}[@\u{1B}OX".utf8) == [.key(Key(.insert)), .key(Key(.end))])
    }

    private static let mixed =
        "aé東\u{1B}[A\u{1B}OB\u{1B}[<64;280;3M\u{1B}]11;rgb:0/0/0\u{1B}\\\u{1B}[200~p\u{1B}[2q宽\u{1B}[201~\u{1B}x\u{1B}[1;5C\u{1B}[[A\u{1B}[>77;1uq"

    @Test func `gives the same events for any split of the bytes`() {
        let bytes = Array(Self.mixed.utf8)
        var whole = InputDecoder()
        let expected = whole.feed(bytes)
        #expect(expected.count == 12 && expected.contains(.background(.dark)))
        for first in 0...bytes.count {
            for second in stride(from: first, through: bytes.count, by: 3) {
                var decoder = InputDecoder()
                let events =
                    decoder.feed(bytes[..<first]) + decoder.feed(bytes[first..<second]) + decoder.feed(bytes[second...])
                #expect(events == expected, "\(first), \(second)")
            }
        }
    }

    @Test func `survives random bytes and decodes a key after them`() {
        var state: UInt64 = 42
        func random() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
        let favourites: [UInt8] = [0x1B, 0x5B, 0x4F, 0x5D, 0x3B, 0x3C, 0x4D, 0x6D, 0x7E, 0x32, 0x30, 0x31, 0x50, 0x5C]
        for _ in 0..<2000 {
            var decoder = InputDecoder()
            for _ in 0..<200 {
                let value = random()
                let byte =
                    value % 3 == 0
                    ? favourites[Int(value >> 8) % favourites.count] : UInt8(truncatingIfNeeded: value >> 16)
                _ = decoder.feed([byte])
                if value % 50 == 1 { _ = decoder.expire() }
            }
            while decoder.timeout(escapeDelay: 25) != nil { _ = decoder.expire() }
            #expect(decoder.feed("q".utf8) == [.key(Key("q"))])
        }
    }
}
