import Canvas
import Foundation
import Testing
import TripTestSupport

@testable import Terminal

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite("Animated picture", .ends(within: .quickTest))
struct AnimatedPictureTests {
    private func screen(_ rows: String...) -> Canvas {
        var canvas = Canvas(width: 10, height: rows.count)
        for (y, text) in rows.enumerated() { canvas.put(text, x: 0, y: y) }
        return canvas
    }

    @Test func `contains a row once for each of its changes`() {
        var picture = AnimatedPicture()
        picture.add(screen("still", "one"), at: 10)
        picture.add(screen("still", "two"), at: 11)
        picture.add(screen("still", "three"), at: 12)
        let text = picture.text(theme: Theme(.dark))
        for word in ["still", "one", "two", "three"] {
            #expect(text.components(separatedBy: ">\(word)<").count == 2, "\(word)")
        }
        // Two seconds of frames and three of rest.
        #expect(text.contains(#"values="inline;none" keyTimes="0;0.20000" dur="5.00000s""#))
        #expect(text.contains(#"values="none;inline;none" keyTimes="0;0.20000;0.40000""#))
        #expect(text.contains(#"<g display="inline">"#))
        #expect(XMLParser(data: Data(text.utf8)).parse())
    }

    @Test func `retains the last of several screens within half a second`() {
        var picture = AnimatedPicture()
        for (index, word) in ["one", "two", "three"].enumerated() {
            picture.add(screen(word), at: 4 + Double(index) / 10)
        }
        let text = picture.text(theme: Theme(.light))
        #expect(!text.contains("one") && !text.contains("two") && text.contains("three"))
    }

    @Test func `is empty without screens and ignores another size`() {
        var picture = AnimatedPicture()
        #expect(picture.text(theme: Theme(.dark)).isEmpty)
        picture.add(screen("a"), at: 0)
        picture.add(screen("b", "c"), at: 1)
        #expect(!picture.text(theme: Theme(.dark)).contains(">b<"))
    }
}
