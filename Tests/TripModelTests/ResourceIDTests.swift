import Testing
import TripModel
import TripTestSupport

@Suite("Resource IDs", .ends(within: .quickTest))
struct ResourceIDTests {
    @Test(arguments: ["tr-7f3a", "a b", "Fahrt-ä", "🚕", String(repeating: "x", count: 64), "..."])
    func `accepts what the service accepts`(text: String) throws {
        #expect(try TripID(text).rawValue == text)
    }

    @Test(arguments: [
        ("", ResourceIDError.empty),
        (String(repeating: "x", count: 65), .tooLong(characters: 65)),
        ("a/b", .forbidden("/")),
        ("a:b", .forbidden(":")),
        ("a?b", .forbidden("?")),
        ("a,b", .forbidden(",")),
        ("a#b", .forbidden("#")),
        (".", .pathSegment(".")),
        ("..", .pathSegment("..")),
    ])
    func `refuses characters and segments that would break a URL path`(text: String, error: ResourceIDError) {
        #expect(throws: error) { try VehicleID(text) }
    }
    @Test func `two Unicode spellings of an ID are two trips`() throws {
        let composed = try TripID("Fahrt-\u{E4}")
        let decomposed = try TripID("Fahrt-a\u{308}")
        #expect(composed.rawValue == decomposed.rawValue)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, try TripID("Fahrt-\u{E4}")]).count == 2)
    }
}
