import Foundation
import Testing
import TripTestSupport
import Yams

/// The list of tasks that `.ci/tasks` walks in a terminal.
@Suite("Tasks of followers and presenters", .ends(within: .quickTest))
struct TaskListTests {
    private struct Row: Decodable {
        let id: String
        let point: Int
        let task: String
        let command: String
        let machine: Bool
        let shows: [String]?
        let never: [String]?
        let judge: String?
    }

    private static func rows() throws -> [Row] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "tasks.yaml")
        return try YAMLDecoder().decode([Row].self, from: String(contentsOf: file, encoding: .utf8))
    }

    @Test func `there are 60 tasks of a follower and 60 of a presenter`() throws {
        let ids = try Self.rows().map(\.id)
        let numbers = (1...60).map { $0 < 10 ? "0\($0)" : "\($0)" }
        #expect(Set(ids) == Set(numbers.map { "f" + $0 } + numbers.map { "p" + $0 }) && ids.count == 120)
    }

    @Test func `a task has what a machine or a person judges by`() throws {
        for row in try Self.rows() {
            let isSearched = !(row.shows ?? []).isEmpty || !(row.never ?? []).isEmpty
            #expect(row.machine ? isSearched : row.judge != nil, "\(row.id)")
            #expect((1...8).contains(row.point) && !row.task.isEmpty, "\(row.id)")
            #expect(row.command.contains("tripshare") || row.command.contains("CHECKOUT"), "\(row.id)")
        }
    }

    @Test func `each expression can be read`() throws {
        for row in try Self.rows() {
            for expression in (row.shows ?? []) + (row.never ?? []) {
                #expect(throws: Never.self, "\(row.id): \(expression)") { try NSRegularExpression(pattern: expression) }
            }
        }
    }
}
