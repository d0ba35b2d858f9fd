import Foundation
import Recording
import Testing
import TripTestSupport

/// Archives are read by programs that are not this project's.
@Suite("Archives in other programs", .ends(within: .longTest))
struct ArchiveTests {
    private static let time = Date(timeIntervalSince1970: 1_773_476_000)
    private static let files: [(name: String, text: String)] = [
        ("report/empty.txt", ""), ("report/short.md", "# Grüße\n"),
        ("report/block.txt", String(repeating: "a", count: 512)),
        ("report/long.ndjson", (0..<40_000).map { "{\"line\":\($0)}\n" }.joined()),
        (String(repeating: "n", count: TarArchive.longestName), "named"),
    ]

    private static func withArchive(_ body: (URL, URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tripshare-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var archive = TarArchive(time: time)
        for (name, text) in files { archive.add(name, Array(text.utf8)) }
        let file = folder.appending(path: "a.tar.gz")
        try Data(GzipFile.compressed(archive.finished)).write(to: file)
        try await body(file, folder)
    }

    @Test func `tar extracts every file as it was added`() async throws {
        try await Self.withArchive { file, folder in
            let program = try SpawnedProgram(
                ["/bin/tar", "xzf", file.path, "-C", folder.path],
                environment: ["PATH": "/usr/bin:/bin"],
                files: .paths(input: "/dev/null", output: "/dev/null", errors: folder.appending(path: "err").path)
            )
            #expect(try await program.end() == .exited(0))
            #expect(try Data(contentsOf: folder.appending(path: "err")).isEmpty)
            for (name, text) in Self.files {
                #expect(try Data(contentsOf: folder.appending(path: name)) == Data(text.utf8), "\(name)")
            }
        }
    }

    private struct Member: Decodable {
        var name: String
        var size: Int
        var mode: Int
        var time: Int
        var isFile: Bool
        var text: String
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `tarfile of Python reads names, sizes, times and contents`() async throws {
        try await Self.withArchive { file, _ in
            let output = try await PythonProgram.run("Tests/RecordingTests/Python/archive.py", [file.path])
            let members = try JSONDecoder().decode([Member].self, from: output)
            #expect(members.map(\.name) == Self.files.map(\.name))
            #expect(members.map(\.text) == Self.files.map(\.text))
            #expect(members.allSatisfy { $0.size == $0.text.utf8.count && $0.isFile && $0.mode == 0o600 })
            #expect(members.allSatisfy { $0.time == Int(Self.time.timeIntervalSince1970) })
        }
    }
}
