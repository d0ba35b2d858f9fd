import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@testable import FleetWire

@Suite("JSON without a schema", .ends(within: .quickTest))
struct JSONParserTests {
    private func values(_ text: String, _ change: (inout JSONParser.Options) -> Void = { _ in }) throws -> [JSONValue] {
        var options = JSONParser.Options()
        change(&options)
        var parser = JSONParser(Array(text.utf8), options: options)
        var values: [JSONValue] = []
        while let value = try parser.next() { values.append(value) }
        return values
    }

    @Test func `objects retain the order of their members, and the last of a repeated key counts`() throws {
        let value = try #require(
            JSONValue(Array(#" {"b":[1,-2.5e1,true,null],"a":{"c":"x"},"b":"\ud83d\ude95\n"} "#.utf8))
        )
        guard case .object(let members) = value else {
            Issue.record("no object")
            return
        }
        #expect(members.map(\.key) == ["b", "a", "b"])
        #expect(members[0].value == .array([.number(1), .number(-25), .bool(true), .null]))
        #expect(value["b"]?.string == "🚕\n")
        #expect(value[path: "a.c"]?.string == "x")
        #expect(value[path: "a.d"] == nil && value["b"]?["c"] == nil)
    }

    @Test(arguments: [
        "", " ", "{", "[1,", "[1,]", "{\"a\":1,}", "{\"a\"}", "{a:1}", "01", "1.", ".5", "+1", "1e", "1e999", "nul",
        "truex",
        "\"\\x\"", "\"\\ud800\"", "\"\\udc00\"", "\"\u{1}\"", "\"", "[1] 2", "{}{}", "\u{FEFF}{}", "'a'", "NaN", "-",
    ])
    func `what RFC 8259 does not allow is refused`(_ text: String) {
        #expect(JSONValue(Array(text.utf8)) == nil)
    }

    @Test func `bytes that are not UTF-8 are refused, or replaced in log exports`() throws {
        let bytes: [UInt8] = [0x22, 0xFF, 0x22]
        #expect(JSONValue(bytes) == nil)
        var options = JSONParser.Options()
        options.isLenient = true
        var parser = JSONParser(bytes, options: options)
        #expect(try parser.next()?.string == "\u{FFFD}")
    }

    @Test func `log exports may have several values, trailing commas and unpaired surrogates`() throws {
        let text = "\u{FEFF}{\"a\":1,},\n[2,],\"\\ud800x\\udc00\" "
        let values = try values(text) { $0.isLenient = true }
        #expect(
            values == [
                .object([.init(key: "a", value: .number(1))]), .array([.number(2)]), .string("\u{FFFD}x\u{FFFD}"),
            ]
        )
    }

    @Test func `keys of log exports are compared without case and underscores`() throws {
        let value = try #require(try values(#"{"Vehicle_ID":"v","none":null}"#) { $0.normalizesKeys = true }.first)
        #expect(value == .object([.init(key: "vehicleid", value: .string("v"))]))
    }

    @Test func `depth and number of values are bounded, and failures name their place`() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: JSONParser.Failure.tooDeep) { try values(deep) }
        #expect(throws: JSONParser.Failure.tooManyValues) { try values("[1,2,3]") { $0.maximumValues = 3 } }
        #expect(throws: JSONParser.Failure.truncated) { try values("[1,2") }
        #expect(throws: JSONParser.Failure.invalid(offset: 3)) { try values("[1 2]") }
        let most = String(repeating: "[", count: 32) + "1" + String(repeating: "]", count: 32)
        #expect(JSONValue(Array(most.utf8)) != nil)
        #expect(JSONValue(Array("[\(most)]".utf8)) == nil)
    }

    @Test func `damaged texts are read exactly where Foundation reads them`() throws {
        let seed = #"{"a":[1,-2.5e1,true,null,"x\u00e9\n"],"b":{"c":"\ud83d\ude95"},"d":0.125}"#
        var random = SeededGenerator(seed: 12)
        for _ in 0..<4000 {
            var bytes = Array(seed.utf8)
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.remove(at: place)
                case 1: bytes[place] = Array("{}[]\",:.0e-\\u ".utf8).randomElement(using: &random) ?? 0
                default: bytes.insert(bytes[place], at: place)
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            let isRead = (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
            // Foundation accepts a comma before a closing bracket, and treats unpaired surrogates in its own way.
            guard !text.contains("\\ud") || text.contains("\\ud83d\\ude95"), !text.contains(/,\s*[}\]]/) else {
                continue
            }
            #expect((JSONValue(bytes) != nil) == isRead, "\(text)")
        }
    }
}
