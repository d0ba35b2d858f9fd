import Canvas
import Foundation
import Runtime
import Testing
import TripTestSupport

@testable import tripshare

@Suite("Sanitized JSON", .ends(within: .longTest))
struct SanitizedJSONTests {
    private struct Sample: Codable, Equatable {
        var text: String
        var list: [String]
        var map: [String: Double?]
    }

    @Test(arguments: [
        "plain", "", "quote \" and back\\slash/", "tab\tline\nfeed\r", "\u{1B}[2J\u{9B}\u{7F}\u{0}",
        "\u{202E}x\u{2066}", "東京 \u{1F600} e\u{301}", "\u{FFFF}\u{378}",
    ])
    func `is valid JSON with every string sanitized as elsewhere`(_ text: String) throws {
        let sample = Sample(text: text, list: [text, "b"], map: ["key \(text)": 1.5, "none": nil])
        let line = SanitizedJSON.line(sample)
        let read = try JSONDecoder().decode(Sample.self, from: Data(line.utf8))
        let shown = Printable.clean(text)
        #expect(read.text == shown)
        #expect(read.list == [shown, "b"])
        #expect(Set(read.map.keys) == [Printable.clean("key \(text)"), "none"])
        #expect(!line.contains("\n"))
    }

    @Test(arguments: [
        ("van\u{200D}1", #"van\u200D1"#), ("a\u{200B}b\u{2060}\u{FEFF}\u{AD}", #"a\u200Bb\u2060\uFEFF\u00AD"#),
        ("\u{2764}\u{FE0F}\u{1F44D}\u{1F3FD}", "\u{2764}\\uFE0F\u{1F44D}\\uD83C\\uDFFD"),
        ("e\u{301}\u{301}\u{301}\u{301}\u{301}", "e\u{301}\u{301}\u{301}\u{301}\u{301}"),
    ])
    func `harmless characters without width are part of a value, and visible in the line`(
        _ text: String,
        _ written: String
    ) throws {
        let line = SanitizedJSON.line([text])
        #expect(Array(line.unicodeScalars) == Array("[\"\(written)\"]".unicodeScalars))
        let read = try JSONDecoder().decode([String].self, from: Data(line.utf8))
        #expect(Array(read[0].unicodeScalars) == Array(text.unicodeScalars))
    }

    @Test func `tags, which hide a text, are shown`() throws {
        #expect(SanitizedJSON.line(["\u{E0041}"]) == #"["\\u{E0041}"]"#)
    }

    @Test func `limits its strings`() throws {
        let line = SanitizedJSON.line([String(repeating: "\u{1B}", count: 1_000_000)])
        let read = try JSONDecoder().decode([String].self, from: Data(line.utf8))
        #expect(read[0].count == SanitizedJSON.maximumStringLength + 1)
    }

    @Test func `retains numbers, literals and the order of members`() {
        let json = #"{"a":[1,-2.5e3,true,null,{}],"b":"x\u00e9\ud83d\ude00","c":{"d":[]}}"#
        #expect(
            String(decoding: SanitizedJSON.sanitized(Array(json.utf8)), as: UTF8.self)
                == #"{"a":[1,-2.5e3,true,null,{}],"b":"xé😀","c":{"d":[]}}"#
        )
    }
}
