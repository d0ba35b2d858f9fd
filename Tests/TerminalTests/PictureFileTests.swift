import Canvas
import Terminal
import Testing
import TripTestSupport

@Suite("Picture file", .ends(within: .minutes(10)))
struct PictureFileTests {
    @Test func `holds each kind of character in its theme's colour`() {
        var canvas = Canvas(width: 10, height: 2)
        canvas.put("a<&b", x: 0, y: 0, role: .critical)
        canvas.put("─⠁█", x: 0, y: 1, role: .border)
        let text = PictureFile(canvas, theme: Theme(.dark)).text
        #expect(text.hasPrefix("<svg "))
        #expect(text.contains(#"viewBox="0 0 80 34""#))
        #expect(text.contains(##"textLength="32" fill="#ff7b72" font-weight="bold">a&lt;&amp;b</text>"##))
        #expect(text.contains(##"<path fill="none" stroke="#3e4a57" d="M4 25H0M4 25H8"/>"##))
        #expect(text.contains(##"<path fill="#3e4a57" d="M9 18h2v2h-2zM16 17h8v17h-8z"/>"##))
    }

    @Test func `has a ground where a role has one`() {
        var canvas = Canvas(width: 4, height: 1)
        canvas.put("hi", x: 1, y: 0, role: .banner)
        let text = PictureFile(canvas, theme: Theme(.dark)).text
        #expect(text.contains(##"<rect x="8" y="0" width="16" height="17" fill="#1b4b72"/>"##))
    }

    @Test(arguments: Theme.Name.allCases)
    func `is drawn in every theme`(name: Theme.Name) {
        var canvas = Canvas(width: 4, height: 1)
        canvas.put("東", x: 0, y: 0)
        #expect(PictureFile(canvas, theme: Theme(name)).text.contains(#"textLength="16""#))
    }
}
