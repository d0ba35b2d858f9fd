import Canvas
import Runtime
import Testing
import TripTestSupport

@Suite("Text on a canvas", .ends(within: .quickTest))
struct TextTests {
    @Test func `truncates text with an ellipsis`() {
        var canvas = Canvas(width: 10, height: 5)
        #expect(canvas.put("0123456789", x: 0, y: 0) == 10)
        #expect(canvas.put("0123456789x", x: 0, y: 1) == 10)
        #expect(canvas.put("abcdef", x: 2, y: 2, maxWidth: 4) == 4)
        #expect(canvas.put([.init("abcd"), .init("ef", .accent)], x: 0, y: 3, maxWidth: 4) == 4)
        #expect(canvas.put("宽宽宽", x: 0, y: 4, maxWidth: 4) == 3)
        #expect(canvas.text == "0123456789\n012345678…\n  abc…\nabc…\n宽…")
    }

    @Test func `aligns text in a rectangle`() {
        var canvas = Canvas(width: 9, height: 3)
        canvas.put("left", in: canvas.bounds, row: 0)
        canvas.put("mid", in: canvas.bounds, row: 1, align: .center)
        canvas.put("右", in: canvas.bounds, row: 2, align: .right)
        #expect(canvas.text == "left\n   mid\n       右")
    }

    @Test func `blanks the other half of an overwritten wide character`() {
        var canvas = Canvas(width: 6, height: 2)
        canvas.put("宽宽宽", x: 0, y: 0)
        canvas.put("a", x: 1, y: 0)
        canvas.put("b", x: 2, y: 0)
        canvas.put("宽宽宽", x: 0, y: 1)
        canvas.put("宽", x: 1, y: 1)
        #expect(canvas.text == " ab 宽\n 宽 宽")
    }

    @Test func `never draws half a wide character at the edge`() {
        var canvas = Canvas(width: 3, height: 1)
        canvas.put("宽", x: 2, y: 0)
        #expect(canvas.text == "  …")
        canvas.put("宽", x: -1, y: 0)
        #expect(canvas.text == "  …")
    }

    @Test func `breaks lines at spaces`() {
        #expect(Printable.wrapped("one two three", to: 7) == ["one two", "three"])
        #expect(Printable.wrapped("abcdefgh ij", to: 4) == ["abcd", "efgh", "ij"])
        #expect(Printable.wrapped("a\nb", to: 4) == ["a", "b"])
        #expect(Printable.wrapped("", to: 4) == [""])
        #expect(Printable.wrapped("one two three four", to: 5, limit: 2) == ["one", "two…"])
        #expect(Printable.wrapped("宽宽宽", to: 4) == ["宽宽", "宽"])
    }

    @Test func `breaks lines between Chinese characters, but neither before a mark nor after a number`() {
        #expect(Printable.wrapped("查询 每个响应", to: 10) == ["查询 每个", "响应"])
        #expect(Printable.wrapped("查询，令牌", to: 4) == ["查", "询，", "令牌"])
        #expect(
            Printable.wrapped("每个响应都按 61 条规则检查：状态顺序。", to: 16) == ["每个响应都按", "61 条规则检查：", "状态顺序。"]
        )
        #expect(Printable.wrapped("토큰이 만료됨", to: 8) == ["토큰이", "만료됨"])
    }

    @Test func `signs of numbers and quotation marks have a likeness in ASCII`() {
        var canvas = Canvas(width: 24, height: 1, glyphs: GlyphSet(.ascii))
        canvas.put("±0:00 „‚a‘“ ‹b› ━ ▶ ◀ ◉", x: 0, y: 0)
        #expect(!canvas.text.contains("?"))
        #expect(canvas.text.hasPrefix("~0:00 "))
    }

    @Test func `needs no character above 0x7E in ASCII`() {
        var canvas = Canvas(width: 40, height: 8, glyphs: GlyphSet(.ascii))
        let inner = canvas.frame(canvas.bounds, title: "Zürich — 宽 …", note: "→")
        canvas.bar(0.5, in: inner.row(0), mark: 0.7)
        canvas.chart([1, 2, 3], in: inner.row(1), top: 3)
        canvas.put("Ärger • café, 12° × 3 · \u{1B}[31m ⠿ naïve", in: inner, row: 2)
        var grid = BrailleGrid(in: Rect(x: 1, y: 4, width: 20, height: 3))
        grid.line(from: .init(x: 0, y: 0), to: .init(x: 39, y: 11), .init(priority: 1, role: .trail))
        grid.render(into: &canvas)
        #expect(canvas.text.unicodeScalars.allSatisfy { $0.value == 10 || (0x20..<0x7F).contains($0.value) })
        #expect(canvas.text.contains("Zurich - ??"))
        #expect(canvas.text.contains("Arger * cafe, 12o x 3 . ^[31m * naiv"))
    }

    @Test func `draws only changed cells`() {
        var old = Canvas(width: 12, height: 2)
        old.put("state: 宽 ok", x: 0, y: 0)
        var new = old
        new.put("aa", x: 7, y: 0, role: .warning)
        new.put("now", x: 9, y: 1)
        let runs = new.runs(since: old).map { "\($0.x),\($0.y) \($0.role) \($0.text)" }
        #expect(runs == ["7,0 warning aa", "9,1 text now"])
        #expect(new.runs(since: new).isEmpty)
        // The wide character was overwritten, so that each of the 24 cells has a character of its own.
        #expect(new.runs(since: Canvas(width: 3, height: 3)).map(\.text).joined().count == 24)
    }

    @Test func `every role has its own letter`() {
        #expect(Set(Role.allCases.map(\.rawValue)).count == Role.allCases.count)
    }
}
