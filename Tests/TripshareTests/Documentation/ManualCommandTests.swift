import FleetEmulator
import Foundation
import Testing
import TripTestSupport

/// The commands that README and manual show.
@Suite("Commands of the manual", .serialized, .ends(within: .longTest))
struct ManualCommandTests {
    private static let folder = Checkout.folder.appending(path: "Sources/tripshare/tripshare.docc")

    private static func blocks(of language: String, in file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```\(language)\n").dropFirst().map {
            $0.components(separatedBy: "\n```")[0]
        }
    }

    /// The command lines of a block, without continuations and comments.
    private static func lines(_ block: String) -> [String] {
        block.replacing("\\\n", with: " ").split(separator: "\n").map { String($0).replacing(/\s#.*/, with: "") }
    }

    @Test func `every command exists and has the options that README and manual show`() async throws {
        let pages = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
        var help: [String: String] = [:]
        var checked = 0
        for page in pages.filter({ $0.pathExtension == "md" }) + [Checkout.folder.appending(path: "README.md")] {
            for line in try Self.blocks(of: "sh", in: page).flatMap(Self.lines) {
                // What is in quotes belongs to other programs.
                let plain = line.replacing(/'[^']*'|"[^"]*"/, with: "TEXT")
                for call in plain.matches(of: /\btripshare ([^|&;)]*)/) {
                    let words = call.1.split(separator: " ").map(String.init)
                    let command = Array(words.prefix { $0.wholeMatch(of: /[a-z]+/) != nil }.prefix(2))
                    let isNested = ["token", "tokens", "notices"].contains(command.first)
                    let name = Array(command.prefix(isNested ? 2 : 1))
                    let key = name.joined(separator: " ")
                    if help[key] == nil {
                        let run = try await Program.run(["help"] + name, environment: ["COLUMNS": "200"])
                        #expect(run.status == 0, "\(page.lastPathComponent): \(line)")
                        help[key] = run.output
                    }
                    for option in words.filter({ $0.hasPrefix("--") }) {
                        let option = option.split(separator: "=")[0]
                        #expect(help[key]?.contains("\(option)") == true, "\(page.lastPathComponent): \(line)")
                    }
                    checked += 1
                }
            }
        }
        #expect(checked > 50)
    }

    @Test func `every request of the page about the control API is accepted`() async throws {
        let block = try #require(Self.blocks(of: "sh", in: Self.folder.appending(path: "ControlAPI.md")).first)
        let requests = Self.lines(block)
        #expect(requests.count >= 15 && requests.allSatisfy { $0.hasPrefix("curl ") })
        // Vans are in a scenario of their own.
        func isOfVan(_ request: String) -> Bool { request.contains("/deliveryVehicles/") }
        for (arguments, requests) in [
            ([], requests.filter { !isOfVan($0) }), (["--scenario", "parcel-day"], requests.filter(isOfVan)),
        ] as [([String], [String])] {
            try await EmulatedEngine.run(arguments) { _, ready in
                let control = try #require(ready["controlURL"] as? String)
                for request in requests {
                    let command = request.replacing("curl ", with: "curl -sS --fail-with-body ", maxReplacements: 1)
                    let run = try await Program.run(
                        executable: "/bin/bash",
                        ["-c", command],
                        environment: ["CONTROL": control]
                    )
                    #expect(run.status == 0, "\(request): \(run.output) \(run.errors)")
                }
            }
        }
    }

    @Test func `every scenario of the manual can be played`() throws {
        let blocks = try Self.blocks(of: "yaml", in: Self.folder.appending(path: "Scenarios.md"))
        let scenarios = blocks.filter { $0.hasPrefix("title: ") }
        #expect(scenarios.count >= 3)
        for text in scenarios { _ = try Scenario(yaml: text, name: "manual", file: "manual.yaml") }
        let forms = ["slow: [", "red-light: ", "jam: {", "tunnel: [", "silent: ["]
        for form in forms { #expect(scenarios.contains { $0.contains(form) }, "\(form)") }
    }

    @Test func `CI builds what the README builds`() throws {
        let readme = try String(contentsOf: Checkout.folder.appending(path: "README.md"), encoding: .utf8)
        let workflow = try String(
            contentsOf: Checkout.folder.appending(path: ".github/workflows/linux.yml"),
            encoding: .utf8
        )
        #expect(readme.contains("`swift build -c release`") && workflow.contains("run: swift build -c release\n"))
    }
}
