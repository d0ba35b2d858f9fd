import Foundation
import Testing
import TripTestSupport
import Yams

/// Checks what can be checked here of the workflows and packages that run elsewhere.
@Suite("Workflows and packages", .ends(within: .longTest))
struct ShippingTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Checkout.folder.appending(path: path), encoding: .utf8)
    }

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: Checkout.folder.appending(path: path).path)
    }

    private static var workflows: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(
                atPath: Checkout.folder.appending(path: ".github/workflows").path
            )
        }
    }

    @Test func `the workflows are YAML with jobs whose steps run something`() throws {
        #expect(try Self.workflows.sorted() == ["linux.yml", "macos.yml", "nightly.yml"])
        for name in try Self.workflows {
            let workflow = try #require(
                try Yams.load(yaml: try Self.text(".github/workflows/\(name)")) as? [String: Any]
            )
            let jobs = try #require(workflow["jobs"] as? [String: [String: Any]])
            #expect(!jobs.isEmpty)
            for (id, job) in jobs {
                #expect(job["runs-on"] is String && job["timeout-minutes"] is Int, "\(name): \(id)")
                let steps = try #require(job["steps"] as? [[String: Any]])
                #expect(steps.allSatisfy { $0["run"] is String || $0["uses"] is String }, "\(name): \(id)")
                #expect(steps.contains { ($0["uses"] as? String)?.hasPrefix("actions/checkout@") == true })
            }
        }
    }

    @Test func `every file that workflows and packages name exists`() throws {
        var named: [String: [String]] = [:]
        for name in try Self.workflows {
            let text = try Self.text(".github/workflows/\(name)")
            named[name] = text.matches(of: /\.ci\/[A-Za-z\/-]+/).map { String($0.0) }
        }
        let container = try Self.text(".ci/packaging/Containerfile")
        named["Containerfile"] = container.matches(of: /\.ci\/[A-Za-z\/-]+/).map { String($0.0) }
        let formula = try Self.text(".ci/packaging/tripshare.rb")
        named["tripshare.rb"] = formula.matches(of: /"(Assets\/[A-Za-z]+)"/).map { String($0.1) }
        for (file, paths) in named where file != "macos.yml" {
            #expect(!paths.isEmpty, "\(file) names no file")
            for path in paths { #expect(Self.exists(path), "\(file): \(path)") }
        }
    }

    @Test func `the container runs the demo without root`() throws {
        let container = try Self.text(".ci/packaging/Containerfile")
        #expect(try Self.text(".ci/package").contains("--static-swift-stdlib"))
        let last = try #require(container.components(separatedBy: "\nFROM ").last)
        #expect(last.contains("\nUSER ") && last.contains("CMD [\"demo\"]"))
        // What was built here is not part of the context.
        #expect(try Self.text(".dockerignore").contains(".build*\n"))
    }

    @Test func `only the targets that own them contain calls of one system`() async throws {
        let script = Checkout.folder.appending(path: ".ci/platform-calls").path
        let run = try await Program.run(executable: script, [])
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test(arguments: [
        "import Glibc", "import Darwin", "    let file = inotify_init1(0)", "    dup3(a, b, 0);", "#if os(Linux)",
        "    let text = try String(contentsOfFile: \"/proc/self/stat\", encoding: .utf8)", "    Glibc.close(file)",
    ])
    func `a call of one system elsewhere is reported`(line: String) async throws {
        let script = Checkout.folder.appending(path: ".ci/platform-calls").path
        try await Program.withFolder { folder in
            let sources = folder.appending(path: "Sources/TripFeed")
            try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
            try Data("\(line)\n".utf8).write(to: sources.appending(path: "File.swift"))
            let run = try await Program.run(executable: script, [folder.path])
            #expect(run.status == 1)
            #expect(run.errors.contains("Sources/TripFeed/File.swift:1:"), "\(run.errors)")
        }
    }
}
