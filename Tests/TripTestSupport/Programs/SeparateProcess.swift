import Foundation
import Testing

/// Runs a test in a process of its own, whose memory, task pool and time other tests do not change.
///
/// Exit tests of Swift Testing do the same, but wait with blocking calls on the threads of the task pool: on two cores, all
/// other tests stop until one has ended.
package enum SeparateProcess {
    /// Set in a process that runs only one test.
    private static let variable = "TRIPSHARE_SEPARATE_TEST"

    /// Performs the body of the current test in a process that runs only this test, and prints what it prints.
    ///
    /// Its issues are recorded here, too. The process ends with this call.
    package static func run(_ body: () async throws -> Void) async throws {
        var environment = ProcessInfo.processInfo.environment
        guard environment[variable] == nil else { return try await body() }
        environment[variable] = "true"
        let test = try #require(Test.current)
        let name = test.name.filter { $0 != "`" }.trimmingSuffix("()")
        let output = FileManager.default.temporaryDirectory.appending(path: "separate-\(UUID().uuidString)")
        // It was created by the process; without one, there is nothing to remove.
        defer { try? FileManager.default.removeItem(at: output) }
        let program = try SpawnedProgram(
            [CommandLine.arguments[0], "--testing-library", "swift-testing", "--filter"]
                + [NSRegularExpression.escapedPattern(for: name)],
            environment: environment,
            files: .paths(input: "/dev/null", output: output.path, errors: output.path)
        )
        // The deadline of the test cancels this wait.
        let ending = try await program.end(within: .minutes(60))
        let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
        let lines = text.split(separator: "\n").filter { line in !"◇✔↳✘".contains(line.first ?? "◇") }
        if !lines.isEmpty { print(lines.joined(separator: "\n")) }
        #expect(ending == .exited(0), "\(text.suffix(4000))")
        #expect(text.contains("Test run with 1 test"), "the process ran another number of tests: \(text.suffix(1000))")
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
