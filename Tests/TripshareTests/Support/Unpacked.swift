import Foundation
import Testing
import TripTestSupport

/// The archives of a folder, unpacked by `tar`.
enum Unpacked {
    /// Returns the archives in a folder, in order of their names.
    static func archives(in folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".tar.gz") }.sorted()
            .map { folder.appending(path: $0) }
    }

    /// Unpacks an archive next to it; returns its files by name.
    static func files(_ archive: URL) async throws -> [String: String] {
        let folder = archive.deletingLastPathComponent()
        let program = try SpawnedProgram(
            ["/bin/tar", "xzf", archive.path, "-C", folder.path],
            environment: ["PATH": "/usr/bin:/bin"],
            files: .paths(input: "/dev/null", output: "/dev/null", errors: "/dev/null")
        )
        #expect(try await program.end() == .exited(0))
        let name = archive.lastPathComponent.replacing(".tar.gz", with: "")
        var files: [String: String] = [:]
        let inside = folder.appending(path: name)
        for file in try FileManager.default.contentsOfDirectory(atPath: inside.path) {
            files[file] = try String(contentsOf: inside.appending(path: file), encoding: .utf8)
        }
        return files
    }
}

extension Program {
    /// Runs the program to its end with a folder as its current one.
    static func run(
        in folder: URL,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> Run {
        try await run(executable: "/usr/bin/env", ["-C", folder.path, path] + arguments, environment: environment)
    }
}
