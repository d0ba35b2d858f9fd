import Foundation
import Testing
import TripTestSupport

/// The reference has a table of 75 things that a token provider has to get right; each test that shows one of them has the
/// number of its row in a comment above it.
@Suite("Token table", .ends(within: .minutes(10)))
struct TableTests {
    @Test func `every row of the table has its test`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        var rows: Set<Int> = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where file.pathExtension == "swift" {
            let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
            for (comment, test) in zip(lines, lines.dropFirst()) where test.contains("@Test") {
                guard let mark = comment.range(of: "    // ") else { continue }
                rows.formUnion(comment[mark.upperBound...].split(separator: ", ").compactMap { Int($0) })
            }
        }
        #expect(Set(1...75).subtracting(rows).sorted() == [])
    }
}
