import Foundation
import Testing
import TripScreen

/// The README agrees with the program; with `UPDATE_README=1` it is made to.
@Suite("Documentation", .serialized)
struct DocumentationTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("README.md")
    private let readme: String

    init() throws {
        readme = try String(contentsOf: Self.file, encoding: .utf8)
    }

    @Test func `the README has every command with its help as it is`() async throws {
        let commands = try await Self.commands(of: [])
        #expect(commands.count >= 3)
        var updated = readme
        for command in commands {
            let help = try await Self.help(command)
            let heading = "### tripshare \(command.joined(separator: " "))\n"
            let section = try #require(readme.components(separatedBy: heading).dropFirst().first, "no \(heading)")
            let shown = try #require(Self.firstBlock(section), "no text under \(heading)")
            if Self.updates { updated = updated.replacing(heading + "\n" + shown, with: heading + "\n" + help) }
            #expect(Self.updates || shown == help, Comment(rawValue: "put this under \(heading)\(help)"))
        }
        if updated != readme { try Data(updated.utf8).write(to: Self.file) }
    }

    @Test func `the README shows the keys of the key map`() throws {
        if Self.updates {
            let lines = readme.components(separatedBy: "\n")
            let start = try #require(lines.firstIndex(of: "| key | view | what it does | action |"))
            let end = try #require(lines[start...].firstIndex(of: ""))
            let updated =
                lines[..<start] + KeyMap.markdown.components(separatedBy: "\n").filter { !$0.isEmpty } + lines[end...]
            try Data(updated.joined(separator: "\n").utf8).write(to: Self.file)
        } else {
            #expect(
                readme.contains(KeyMap.markdown),
                Comment(rawValue: "put this into the README:\n\(KeyMap.markdown)")
            )
        }
    }

    @Test func `the README has every threshold with its default`() async throws {
        let run = try await Program.run(["demo", "--threshold", "none=1"])
        let known = try #require(run.errors.components(separatedBy: "Known are: ").dropFirst().first)
        let thresholds = known.matches(of: /(\w+) \(([^)]+)\)/)
        #expect(thresholds.count >= 18)
        for threshold in thresholds { #expect(readme.contains("| `\(threshold.1)` | \(threshold.2) |")) }
    }

    @Test func `the README's test command is what CI runs`() {
        #expect(readme.contains("libncurses-dev tmux && swift test "))
    }

    private static var updates: Bool { ProcessInfo.processInfo.environment["UPDATE_README"] != nil }

    /// The fenced block that a section begins with.
    private static func firstBlock(_ section: String) -> String? {
        guard section.hasPrefix("\n```text\n"), let end = section.range(of: "\n```\n") else { return nil }
        return String(section[..<end.upperBound].dropFirst())
    }

    /// The help of a command as the README holds it.
    private static func help(_ command: [String]) async throws -> String {
        let run = try await Program.run(["help"] + command, environment: ["COLUMNS": "80"])
        #expect(run.status == 0)
        return "```text\n\(run.output.trimmingCharacters(in: .newlines))\n```\n"
    }

    /// All commands beneath one, as words; a command that has commands of its own comes before them.
    private static func commands(of parent: [String]) async throws -> [[String]] {
        let parts = try await help(parent).components(separatedBy: "SUBCOMMANDS:\n")
        guard parts.count == 2 else { return [] }
        var commands: [[String]] = []
        for line in parts[1].split(separator: "\n") where line.hasPrefix("  ") && !line.hasPrefix("   ") {
            guard let name = line.split(separator: " ").first, !line.hasPrefix("  See '") else { continue }
            let command = parent + [String(name)]
            commands += [command]
            commands += try await Self.commands(of: command)
        }
        return commands
    }
}
