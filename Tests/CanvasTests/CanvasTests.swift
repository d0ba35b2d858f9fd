import Canvas
import Testing
import TripTestSupport

@Suite("Canvas", .ends(within: .quickTest))
struct CanvasTests {
    @Test func `draws a frame with a title, a note, text and a bar`() {
        var canvas = Canvas(width: 24, height: 4)
        let inner = canvas.frame(canvas.bounds, title: "Token", note: "90 s")
        canvas.put([.init("next "), .init("42 s", .accent)], in: inner)
        canvas.bar(0.5, in: inner.row(1), mark: 0.9)
        #expect(
            canvas.text == """
                ╭─ Token ─────── 90 s ─╮
                │next 42 s             │
                │███████████░░░░░░░│░░░│
                ╰──────────────────────╯
                """
        )
        #expect(
            canvas.roleMap == """
                bbHHHHHHHbbbbbbb,,,,,,bb
                b.... AAAA             b
                bFFFFFFFFFFFeeeeeeeMeeeb
                bbbbbbbbbbbbbbbbbbbbbbbb
                """
        )
    }
}
