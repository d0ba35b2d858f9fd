import Failures
import Foundation
import Testing
import TripFeed
import TripScreen
import TripTestSupport
import TripText

@testable import tripshare

/// Compares README and manual with the program.
///
/// `UPDATE_MANUAL=1` rewrites help texts, settings, keys and thresholds.
@Suite("Documentation", .serialized, .ends(within: .longTest))
struct DocumentationTests {
    @Test func `the manual has every command with its help text`() async throws {
        let manual = try Self.page("Commands")
        let commands = try await Self.commands(of: [], help: Self.help([]))
        #expect(commands.count >= 3)
        var updated = manual
        for (command, help) in commands {
            let heading = "### tripshare \(command.joined(separator: " "))\n"
            let section = try #require(manual.components(separatedBy: heading).dropFirst().first, "no \(heading)")
            let shown = try #require(Self.firstBlock(section), "no text under \(heading)")
            if Self.updates { updated = updated.replacing(heading + "\n" + shown, with: heading + "\n" + help) }
            #expect(Self.updates || shown == help, Comment(rawValue: "put this under \(heading)\(help)"))
        }
        if updated != manual { try Data(updated.utf8).write(to: Self.file("Commands")) }
    }

    @Test func `the manual shows the keys of the key map`() throws {
        try Self.compare(KeyMap.markdown.components(separatedBy: "\n").filter { !$0.isEmpty }, with: "Keys")
    }

    @Test func `the manual has every threshold with its default, and the program lists them`() async throws {
        let rows = FindingLimit.all.map { limit in
            let standard = limit.standard.formatted(.number.grouping(.never))
            return "| `\(limit.id)` | \(standard) \(limit.unit.rawValue) | \(limit.documentation) |"
        }
        let head = ["| name | default | reported when |", "|---|---|---|"]
        try Self.compare(head + rows, with: "Configuration")
        let run = try await Program.run(["demo", "--threshold", "none=1"])
        let known = try #require(run.errors.components(separatedBy: "Valid names: ").dropFirst().first)
        #expect(known.matches(of: /(\w+) \(([^)]+)\)/).map { String($0.1) } == FindingLimit.all.map(\.id))
    }

    @Test func `the manual has every setting with its option, its variable and its default`() throws {
        try Self.compare(SettingRows.markdown, with: "Configuration")
    }

    @Test func `the manual has every key of the JSON output`() async throws {
        let manual = try Self.page("JSONOutput")
        let run = try await Program.run(["demo", "--speed", "60", "--seed", "1", "--output", "json"])
        let lines = run.output.split(separator: "\n")
        #expect(lines.count > 20)
        for line in lines {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let type = try #require(object["type"] as? String)
            #expect(manual.contains("| `\(type)` |"), "the type \(type) is missing")
            for key in object.keys { #expect(manual.contains("`\(key)`"), "the key \(key) is missing") }
        }
    }

    @Test func `the manual has every metric`() throws { try Self.compare(MetricTable.markdown, with: "Metrics") }

    @Test func `the manual has every event that notices are about`() throws {
        try Self.compare(NoticeKindRow.markdown, with: "Notices")
    }

    @Test func `the manual has every exit code`() throws {
        try Self.compare(FailureDocumentation.exitCodes, with: "ExitCodes")
    }

    @Test func `the manual has every error code and every warning`() throws {
        try Self.compare(FailureDocumentation.errorCodes, with: "ErrorCodes")
        try Self.compare(FailureDocumentation.warnings, with: "ErrorCodes")
    }

    @Test func `every link in the manual and the README leads to a page`() throws {
        for page in try FileManager.default.contentsOfDirectory(atPath: Self.file("").deletingLastPathComponent().path)
        {
            for link in try Self.page(page.replacing(".md", with: "")).matches(of: /<doc:(\w+)>/) {
                #expect(FileManager.default.fileExists(atPath: Self.file(String(link.1)).path), "\(page): \(link.1)")
            }
        }
        let links = try Self.readme.matches(of: /\]\(([^):]+)\)/)
        #expect(links.count >= 9)
        for link in links {
            let path = Checkout.folder.appendingPathComponent(String(link.1)).path
            #expect(FileManager.default.fileExists(atPath: path), "README: \(link.1)")
        }
    }

    @Test func `the README is at most 250 lines and has the test command of CI`() throws {
        let readme = try Self.readme
        #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 250)
        let command = "tmux zlib1g-dev && SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8 swift test "
        #expect(readme.contains(command))
    }

    /// Compares a table with the one in a page that has the same first line, or rewrites it.
    private static func compare(_ table: [String], with page: String) throws {
        let lines = try Self.page(page).components(separatedBy: "\n")
        let start = try #require(lines.firstIndex { $0 == table.first }, "no table in \(page).md")
        let end = try #require(lines[start...].firstIndex(of: ""))
        if updates {
            let updated = lines[..<start] + table + lines[end...]
            try Data(updated.joined(separator: "\n").utf8).write(to: file(page))
        } else {
            #expect(
                Array(lines[start..<end]) == table,
                Comment(rawValue: "put this into \(page).md:\n\(table.joined(separator: "\n"))")
            )
        }
    }

    private static var updates: Bool { ProcessInfo.processInfo.environment["UPDATE_MANUAL"] != nil }

    private static var readme: String {
        get throws { try String(contentsOf: Checkout.folder.appendingPathComponent("README.md"), encoding: .utf8) }
    }

    private static func file(_ page: String) -> URL {
        Checkout.folder.appendingPathComponent("Sources/tripshare/tripshare.docc/\(page).md")
    }

    private static func page(_ name: String) throws -> String { try String(contentsOf: file(name), encoding: .utf8) }

    /// The fenced block at the beginning of a section.
    private static func firstBlock(_ section: String) -> String? {
        guard section.hasPrefix("\n```text\n"), let end = section.range(of: "\n```\n") else { return nil }
        return String(section[..<end.upperBound].dropFirst())
    }

    /// The help of a command in the form of the manual.
    private static func help(_ command: [String]) async throws -> String {
        let run = try await Program.run(["help"] + command, environment: ["COLUMNS": "80"])
        #expect(run.status == 0)
        return "```text\n\(run.output.trimmingCharacters(in: .newlines))\n```\n"
    }

    /// All subcommands of a command, as words, each with its help.
    ///
    /// A command comes before its own subcommands.
    private static func commands(of parent: [String], help: String) async throws -> [([String], help: String)] {
        let parts = help.components(separatedBy: "SUBCOMMANDS:\n")
        guard parts.count == 2 else { return [] }
        var commands: [([String], help: String)] = []
        for line in parts[1].split(separator: "\n") where line.hasPrefix("  ") && !line.hasPrefix("   ") {
            guard let name = line.split(separator: " ").first, !line.hasPrefix("  See '") else { continue }
            let command = parent + [String(name)]
            let help = try await Self.help(command)
            commands += [(command, help)]
            commands += try await Self.commands(of: command, help: help)
        }
        return commands
    }
}
