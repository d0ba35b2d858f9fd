import Foundation
import Testing
import TripTestSupport

@testable import Recording

@Suite("Texts of exports", .ends(within: .quickTest))
struct ExportedTextTests {
    @Test(arguments: [
        ("van\u{200D}1", "van\u{200D}1"), ("a\u{200B}\u{FEFF}b", "a\u{200B}\u{FEFF}b"),
        ("\u{1F44D}\u{1F3FD}\u{2764}\u{FE0F}", "\u{1F44D}\u{1F3FD}\u{2764}\u{FE0F}"),
        ("a\u{202E}b\u{1B}c\u{E0041}", "a\u{FFFD}b\u{FFFD}c\u{FFFD}"),
    ])
    func `a value retains its joiners, and nothing that moves a cursor or reorders a line`(raw: String, text: String) {
        for written in [ExportText.short(raw), ExportText.body(raw)] {
            #expect(Array(written.unicodeScalars) == Array(text.unicodeScalars))
        }
        var table = CSVTable(["vehicle"])
        table.append([.text(raw)])
        #expect(
            String(decoding: table.bytes, as: UTF8.self).unicodeScalars.elementsEqual(
                "vehicle\r\n\(text)\r\n".unicodeScalars
            )
        )
    }
}
