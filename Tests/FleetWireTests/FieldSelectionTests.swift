import FleetWire
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Selected fields", .ends(within: .quickTest))
struct FieldSelectionTests {
    private static let whole = #"{"a":{"b":1,"c":{"d":2,"e":3},"f":4},"g":[{"h":5,"i":6},{"h":7}],"jK":9,"j_k":8}"#

    @Test(arguments: [
        ("*", whole),
        ("a", #"{"a":{"b":1,"c":{"d":2,"e":3},"f":4}}"#),
        ("a/b", #"{"a":{"b":1}}"#),
        ("a.b", #"{"a":{"b":1}}"#),
        ("a(b,f),jK", #"{"a":{"b":1,"f":4},"jK":9}"#),
        (" a ( b , c / d ) ", #"{"a":{"b":1,"c":{"d":2}}}"#),
        ("a/c(e)", #"{"a":{"c":{"e":3}}}"#),
        ("a(b,c(d,e))", #"{"a":{"b":1,"c":{"d":2,"e":3}}}"#),
        ("a/b,a/f", #"{"a":{"b":1,"f":4}}"#),
        ("a,a/b", #"{"a":{"b":1,"c":{"d":2,"e":3},"f":4}}"#),
        ("a/b,a", #"{"a":{"b":1,"c":{"d":2,"e":3},"f":4}}"#),
        ("g/h", #"{"g":[{"h":5},{"h":7}]}"#),
        ("g/i", #"{"g":[{"i":6},{}]}"#),
        ("a/*", #"{"a":{"b":1,"c":{"d":2,"e":3},"f":4}}"#),
        ("*/c/d", #"{"a":{"c":{"d":2}},"g":[{},{}]}"#),
        ("*/c/d,a/c/e,a/b", #"{"a":{"b":1,"c":{"d":2,"e":3}},"g":[{},{}]}"#),
        ("j_k", #"{"jK":9}"#),
        ("x", "{}"),
        ("a/b/x", #"{"a":{}}"#),
    ])
    func `a selection has the fields that it names`(selection: String, expected: String) throws {
        let whole = try #require(JSONValue(Array(Self.whole.utf8)))
        let selected = try #require(FieldSelection(selection)).apply(to: whole)
        #expect(JSONBytes.encode(selected) == Array(expected.utf8))
    }

    @Test(arguments: [
        "", ",", "a,", ",a", "a//b", "a/", "/a", "a(", "a()", "a(b", "a(b))", ")", "a b", "a**", "a(b,)", "a\u{E9}",
        "a\"",
        String(repeating: "a(", count: 1000), String(repeating: "a/", count: 1000) + "a",
    ])
    func `a selection of another form is refused`(selection: String) {
        #expect(FieldSelection(selection) == nil)
    }
}
