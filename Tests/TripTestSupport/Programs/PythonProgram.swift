package import Foundation
package import Testing

/// A Python program of the tests, run in the environment that `.ci/python` creates.
package enum PythonProgram {
    /// Whether a test that needs the environment can run.
    ///
    /// In CI it must.
    package static var isThere: Bool { InstalledTool.python.isThere }

    /// Why a test is skipped.
    package static let why = InstalledTool.python.why

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - path: The file, from the root of the checkout.
    ///   - arguments: Paths in them count from the root of the checkout, too, if they start with `Assets/`.
    ///   - environment: Variables in addition to those of the tests.
    ///   - limit: The time after which the program is killed.
    /// - Returns: What the program wrote to standard output.
    /// - Throws: ``WaitFailure`` with the end of its standard error if it fails or does not end in time.
    package static func run(
        _ path: String,
        _ arguments: [String] = [],
        environment: [String: String] = [:],
        within limit: Duration = .testTimeout
    ) async throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tripshare-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (output, errors) = (folder.appending(path: "out"), folder.appending(path: "err"))
        let arguments = arguments.map { $0.hasPrefix("Assets/") ? Checkout.folder.appending(path: $0).path : $0 }
        var all = ProcessInfo.processInfo.environment
        // No compiled files appear in the checkout.
        all["PYTHONDONTWRITEBYTECODE"] = "1"
        let program = try SpawnedProgram(
            [InstalledTool.python.path, Checkout.folder.appending(path: path).path] + arguments,
            environment: all.merging(environment) { $1 },
            files: .paths(input: "/dev/null", output: output.path, errors: errors.path)
        )
        let end = try await program.end(within: limit)
        guard end == .exited(0) else {
            let text = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
            throw WaitFailure("\(path) ended with \(end): \(text.suffix(4000))")
        }
        return try Data(contentsOf: output)
    }
}
