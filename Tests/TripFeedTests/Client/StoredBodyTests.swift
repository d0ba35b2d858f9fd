import Failures
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Stored bodies", .ends(within: .quickTest))
struct StoredBodyTests {
    private func stored(_ text: String) -> StoredBody { StoredBody(Array(text.utf8)) }

    @Test func `retains a small body unchanged`() {
        let body = stored(#"{"a":[1,2,3]}"#)
        #expect(body.bytes == Array(#"{"a":[1,2,3]}"#.utf8))
        #expect(!body.isCut)
    }

    @Test func `retains the beginning of long lists, objects and strings, with a marker`() throws {
        let list = (0..<50_000).map(String.init).joined(separator: ",")
        let members = (0..<5000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        let text = String(repeating: "é\\\"\\ud83d\\ude95,]}", count: 20_000)
        let whole = #"{"first":[\#(list)],"text":"\#(text)","object":{\#(members)},"last":"here"}"#
        let body = stored(whole)
        #expect(body.isCut)
        #expect(body.size == whole.utf8.count)
        #expect(body.bytes.count <= StoredBody.largest)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(body.bytes)) as? [String: Any])
        let items = try #require(json["first"] as? [Any])
        #expect(items.count == 61)
        #expect(items.first as? Int == 0)
        #expect(items.last as? String == "… +49940")
        #expect((json["text"] as? String)?.hasSuffix("…") == true)
        #expect((json["object"] as? [String: Any])?["…"] as? String == "… +4940")
        #expect(json["last"] as? String == "here")
    }

    @Test func `shortens nested lists further when they are still too large`() throws {
        let inner = "[" + (0..<100).map(String.init).joined(separator: ",") + "]"
        let middle = "[" + Array(repeating: inner, count: 100).joined(separator: ",") + "]"
        let body = stored("[" + Array(repeating: middle, count: 100).joined(separator: ",") + "]")
        #expect(body.bytes.count <= StoredBody.largest)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(body.bytes)) as? [Any])
        #expect(json.count == 9)
    }

    @Test(arguments: [
        String(repeating: "[", count: 100_000), String(repeating: "<p>Sorry</p>", count: 10_000),
        "{\"a\":\"" + String(repeating: "\\", count: 99_999), String(repeating: "]", count: 100_000),
        String(repeating: "\"", count: 99_999), String(repeating: ",", count: 100_000),
    ])
    func `truncates a body that can't be shortened`(_ text: String) {
        let body = stored(text)
        #expect(body.bytes == Array(text.utf8.prefix(StoredBody.largest)))
        #expect(body.isCut)
    }

    @Test func `an excerpt of any JSON is valid JSON`() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<60 {
            var text = "["
            while text.utf8.count < 80_000 {
                let item = ["1", "null", "{}", "[]", "\"\\u0041\\n\"", "{\"k\":[1,2]}", "[[[]]]", "\"漢字\"", "\"\\\\\""]
                let piece = item.randomElement(using: &random) ?? "0"
                let count = Int.random(in: 1...100, using: &random)
                text += (text.utf8.count > 1 ? "," : "")
                switch Int.random(in: 0..<3, using: &random) {
                case 0: text += "[" + Array(repeating: piece, count: count).joined(separator: ",") + "]"
                case 1: text += "{" + (0..<count).map { "\"\($0)\":\(piece)" }.joined(separator: ",") + "}"
                default: text += "\"" + String(repeating: "a\\u00e9\\\\漢", count: count * 10) + "\""
                }
            }
            let body = stored(text + "]")
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(body.bytes)) }
        }
    }
}
