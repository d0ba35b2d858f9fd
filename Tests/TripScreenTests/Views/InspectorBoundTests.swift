import Canvas
import Failures
import Testing
import TripFeed
import TripTestSupport
import TripText

@testable import TripScreen

@Suite("Large answers in the inspector", .ends(within: .quickTest))
struct InspectorBoundTests {
    /// An answer with a list of digits that is small enough to be kept completely.
    private static func body(_ items: Int) -> StoredBody {
        let digits = (0..<items).map { String($0 % 10) }.joined(separator: ",")
        return StoredBody(Array(#"{"first":1,"list":[\#(digits)],"last":2}"#.utf8))
    }

    @Test func `shows at most 20,000 values and counts the others in a row`() throws {
        var inspector = Inspector()
        inspector.show([Self.body(30_000)], localizer: .english)
        #expect(inspector.rows.map(\.key) == ["first", "list", "last"])
        inspector.move(by: 1)
        inspector.fold(open: true)
        #expect(inspector.rows.count == Inspector.maximumValues + 2)
        #expect(inspector.rows[20_000].value == "10002 more values are not shown")
        #expect(inspector.rows.last?.value == "1 more value is not shown")
        inspector.fold(open: false)
        #expect(inspector.rows.map(\.key) == ["first", "list", "last"])
    }

    @Test func `limits searches and changes in a large answer`() throws {
        var inspector = Inspector()
        inspector.search(for: "2")
        inspector.show([Self.body(5), Self.body(30_000)], localizer: .english)
        #expect(inspector.rows.count <= Inspector.maximumValues + 3)
        #expect(inspector.changes <= Inspector.maximumValues)
        inspector.toggleChangesOnly()
        #expect(inspector.rows.contains { $0.value.contains("not shown") })
        inspector.show([Self.body(30_000), Self.body(5)], localizer: .english)
        #expect(inspector.rows.count <= Inspector.maximumValues + 3)
    }
}
