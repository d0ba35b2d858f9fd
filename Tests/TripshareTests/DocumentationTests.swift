import Foundation
import Testing
import TripScreen

@Suite("Documentation")
struct DocumentationTests {
    private let readme: String

    init() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("README.md")
        readme = try String(contentsOf: file, encoding: .utf8)
    }

    @Test(arguments: ["demo", "watch", "emulate"])
    func `the README shows the help of each command as it is`(command: String) async throws {
        let run = try await Program.run(["help", command], environment: ["COLUMNS": "80"])
        #expect(run.status == 0)
        let help = run.output.trimmingCharacters(in: .newlines)
        #expect(readme.contains(help), Comment(rawValue: "put this into the README:\n\(help)"))
    }

    @Test func `the README names every command`() async throws {
        let run = try await Program.run(["help"], environment: ["COLUMNS": "80"])
        let subcommands = run.output.split(separator: "SUBCOMMANDS:\n").last?.split(separator: "\n") ?? []
        let names = subcommands.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.contains("'") }
            .compactMap { $0.split(separator: " ").first }
        #expect(names.count >= 3)
        for name in names { #expect(readme.contains("### tripshare \(name)")) }
    }

    @Test func `the README shows the keys of the key map`() {
        #expect(readme.contains(KeyMap.markdown), Comment(rawValue: "put this into the README:\n\(KeyMap.markdown)"))
    }

    @Test func `the README's test command is what CI runs`() {
        #expect(readme.contains("libncurses-dev tmux && swift test "))
    }
}
