import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

@testable import tripshare

/// The manual names each key of a notice.
@Suite("The keys of a notice in the manual", .ends(within: .quickTest))
struct NoticeDocumentationTests {
    @Test func `the table has each key of the line, and no other`() throws {
        let now = Moment(wall: Date(timeIntervalSince1970: 0), steady: .zero)
        var table = JourneyTable()
        let changes = table.apply(SessionItem(.feed(.ended(try .trip(TripID("t-1")), .left)), at: now))
        let notice = try #require(NoticeDetector().notices(of: changes, table).first)
        let line = NoticeLine(notice, id: NoticeID(text: "a"), sequence: 1, host: "h")
        let keys = Set(Mirror(reflecting: line).children.compactMap(\.label))
        let page = try String(
            contentsOf: Checkout.folder.appending(path: "Sources/tripshare/tripshare.docc/Notices.md"),
            encoding: .utf8
        )
        let section = try #require(
            page.components(separatedBy: "## The event").last?.components(separatedBy: "\n## ").first
        )
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let named = rows.flatMap { row in
            row.split(separator: "|")[0].split(separator: ",").map { $0.filter { $0 != "`" && $0 != " " } }
        }
        #expect(Set(named) == keys && named.count == keys.count)
    }
}
