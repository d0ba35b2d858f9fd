import Canvas
import Foundation
import Testing
import TripTestSupport

@testable import Terminal

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite("Picture file", .ends(within: .quickTest))
struct PictureFileTests {
    @Test func `contains each kind of character in its theme colour`() {
        var canvas = Canvas(width: 10, height: 2)
        canvas.put("a<&b", x: 0, y: 0, role: .critical)
        canvas.put("─⠁█", x: 0, y: 1, role: .border)
        let text = PictureFile(canvas, theme: Theme(.dark)).text
        #expect(text.hasPrefix("<svg "))
        #expect(text.contains(#"viewBox="0 0 80 34""#))
        #expect(text.contains(##"textLength="32" fill="#ff7b72" font-weight="bold">a&lt;&amp;b</text>"##))
        #expect(text.contains(##"<path fill="none" stroke="#3e4a57" d="M4 25H0M4 25H8"/>"##))
        #expect(text.contains(##"<path fill="#3e4a57" d="M8 18h3v3h-3zM16 17h8v17h-8z"/>"##))
    }

    @Test(arguments: GlyphSet.Level.allCases.filter { $0 > .ascii })
    func `the lines of a map are shapes, so that they join in every font`(_ level: GlyphSet.Level) {
        var canvas = Canvas(width: 128, height: 2, glyphs: GlyphSet(level))
        for mask in 1..<256 {
            var grid = BrailleGrid(in: Rect(x: mask % 128, y: mask / 128, width: 1, height: 1))
            for bit in 0..<8 where mask >> bit & 1 == 1 {
                grid.dot(x: bit % 2, y: bit / 2, .init(priority: 1, role: .basemap))
            }
            grid.render(into: &canvas)
        }
        let text = PictureFile(canvas, theme: Theme(.dark)).text
        #expect(!text.contains("<text") && text.contains("<path"))
    }

    /// Collects the text of all `text` elements.
    private final class Reader: NSObject, XMLParserDelegate {
        var texts: [String] = []

        func parser(_ parser: XMLParser, foundCharacters string: String) { texts[texts.count - 1] += string }

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) {
            texts.append("")
        }
    }

    @Test(arguments: [
        "]]>", "<![CDATA[", "&amp;", "\"'><script>", "<!--", "a\u{FFFE}b\u{FFFF}c", "\u{1}\u{8}\u{1B}\u{7F}",
        "\u{1F695}\u{1FFFE}", "&#0;", "e\u{301}\u{FFFE}",
    ])
    func `is well-formed for any text`(_ name: String) throws {
        var canvas = Canvas(width: 40, height: 1)
        canvas.put(name, x: 0, y: 0)
        let picture = PictureFile(canvas, theme: Theme(.dark)).text
        let parser = XMLParser(data: Data(picture.utf8))
        let reader = Reader()
        parser.delegate = reader
        #expect(parser.parse(), "\(name.debugDescription): \(parser.parserError.debugDescription)")
        let shown = canvas.text.replacing("\u{FFFE}", with: "\u{FFFD}").replacing("\u{FFFF}", with: "\u{FFFD}")
        #expect(reader.texts.joined().filter { !$0.isWhitespace } == shown.filter { !$0.isWhitespace })
    }

    @Test func `escapes all special characters of XML and replaces forbidden ones`() {
        #expect(PictureFile.escaped("]]>&<\"'") == "]]&gt;&amp;&lt;&quot;&apos;")
        #expect(PictureFile.escaped("\u{0}\u{B}\u{1F}\u{FFFE}\u{FFFF}") == String(repeating: "\u{FFFD}", count: 5))
        #expect(PictureFile.escaped("\t\n\u{7F}\u{D7FF}\u{E000}\u{10FFFF}") == "\t\n\u{7F}\u{D7FF}\u{E000}\u{10FFFF}")
    }

    @Test func `has a background where the role has one`() {
        var canvas = Canvas(width: 4, height: 1)
        canvas.put("hi", x: 1, y: 0, role: .banner)
        let text = PictureFile(canvas, theme: Theme(.dark)).text
        #expect(text.contains(##"<rect x="8" y="0" width="16" height="17" fill="#1b4b72"/>"##))
    }

    @Test(arguments: Theme.Name.allCases)
    func `a picture is drawn in every theme`(name: Theme.Name) {
        var canvas = Canvas(width: 4, height: 1)
        canvas.put("東", x: 0, y: 0)
        #expect(PictureFile(canvas, theme: Theme(name)).text.contains(#"textLength="16""#))
    }
}
