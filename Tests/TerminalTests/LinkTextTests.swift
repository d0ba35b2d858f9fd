import Canvas
import Testing
import TripTestSupport

@testable import Terminal

@Suite("Links", .ends(within: .quickTest))
struct LinkTextTests {
    private func canvas(_ text: String, _ other: String = "", at column: Int = 30) -> Canvas {
        var canvas = Canvas(width: 40, height: 2)
        canvas.put(text, x: 2, y: 1, role: .accent)
        canvas.put(other, x: column, y: 1)
        return canvas
    }

    @Test func `a text that a row contains is a link, another one is not`() {
        var drawn = canvas("trip-7 宽 end")
        drawn.link("trip-7 宽", row: 1, to: "https://example.com/7")
        drawn.link("trip-8", row: 1, to: "https://example.com/8")
        drawn.link("trip-7", row: 0, to: "https://example.com/7")
        drawn.link("trip-7", row: 9, to: "https://example.com/7")
        #expect(drawn.links == [Canvas.Link(place: .init(x: 2, y: 1), columns: 9, address: "https://example.com/7")])
    }

    @Test(arguments: [
        "", "https://e.com/\u{1B}\\", "https://e.com/ü", "https://e.com/a b", String(repeating: "a", count: 2001),
    ])
    func `an address that could end the sequence makes no link`(address: String) {
        var drawn = canvas("trip-7")
        drawn.link("trip-7", row: 1, to: address)
        #expect(drawn.links.isEmpty)
    }

    @Test(arguments: [
        (ColorDepth.mono, "\u{1B}[0;1m"), (.sixteen, "\u{1B}[0;1;94;40m"), (.indexed, "\u{1B}[0;1;38;5;75;48;5;16m"),
        (.truecolor, "\u{1B}[0;1;38;2;0;0;255;48;2;0;0;8m"),
    ])
    func `a link is drawn with its address in the style of its cells`(depth: ColorDepth, style: String) {
        var drawn = canvas("trip-7")
        drawn.link("trip-7", row: 1, to: "https://e.com/7")
        let colors: [ColorDepth: (Int, Int)] = [
            .mono: (-1, -1), .sixteen: (12, 0), .indexed: (75, 16), .truecolor: (0xFF, 8),
        ]
        let bytes = LinkText.bytes(drawn.links[0], in: drawn, depth) { _ in
            let (foreground, background) = colors[depth] ?? (-1, -1)
            return Theme.Style(foreground: foreground, background: background, attributes: .bold)
        }
        let text = "\u{1B}7\u{1B}[2;3H\u{1B}]8;;https://e.com/7\u{1B}\\\(style)trip-7\u{1B}]8;;\u{1B}\\\u{1B}8"
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test func `a link is drawn again if its row has changed up to it, and its end is drawn, too`() {
        var first = canvas("trip-7", "12:00")
        first.link("trip-7", row: 1, to: "https://e.com/7")
        let size = (width: 40, height: 2)
        func due(_ change: (inout Canvas) -> Void) -> [String] {
            var next = first
            change(&next)
            return LinkText.due(in: next, since: first, next.runs(since: first), within: size).map(\.address)
        }
        #expect(LinkText.due(in: first, since: nil, first.runs(), within: size) == first.links)
        #expect(due { _ in }.isEmpty)
        #expect(due { $0.put("12:01", x: 30, y: 1) }.isEmpty)
        #expect(due { $0.put("x", x: 0, y: 0) }.isEmpty)
        #expect(due { $0.put("x", x: 0, y: 1) } == ["https://e.com/7"])
        #expect(due { $0.put("x", x: 8, y: 1) } == ["https://e.com/7"])
        let plain = canvas("trip-7", "12:00")
        #expect(LinkText.due(in: plain, since: first, [], within: size).map(\.address) == [""])
    }

    @Test(arguments: [(8, 2, true), (7, 2, false), (8, 1, false), (1, 1, false)])
    func `a link is drawn only if all of it is on the terminal`(width: Int, height: Int, isDrawn: Bool) {
        var first = canvas("trip-7")
        first.link("trip-7", row: 1, to: "https://e.com/7")
        let size = (width: width, height: height)
        #expect(LinkText.due(in: first, since: nil, first.runs(), within: size).isEmpty != isDrawn)
        let ended = canvas("trip-8")
        #expect(LinkText.due(in: ended, since: first, ended.runs(), within: size).isEmpty != isDrawn)
    }

    @Test func `an address has the name of the machine and no character that needs an escape`() {
        let address = LinkAddress.file("my rides/ü;1.ndjson", in: "/home/a")
        #expect(address.hasPrefix("file://") && address.hasSuffix("/home/a/my%20rides/%C3%BC%3B1.ndjson"))
        #expect(LinkAddress.file("/tmp/a").hasSuffix("/tmp/a"))
        #expect(LinkAddress.page(of: "a/b c\u{7}", "https://e.com/{tripId}?x=1") == "https://e.com/a%2Fb%20c%07?x=1")
        #expect(LinkAddress.page(of: "a", "javascript:alert({tripId})") == nil)
    }
}
