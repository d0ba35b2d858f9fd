import Foundation
import Runtime
import Subprocess
import Synchronization
import Terminal

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// A program that gives a token or acts on an event; it runs once.
///
/// It runs in its own session, so that it has no terminal to read from or write to, and it inherits no other open file. Its
/// process group is killed when it has ended, when its task is cancelled, and when this process ends, however it ends. Only a
/// child that leaves the group, as a daemon does, remains.
final class HelperProgram: Sendable {
    /// How the program ended, and what it wrote to its standard output.
    struct Ending<Output: Sendable>: Sendable {
        let status: TerminationStatus
        let output: Output
    }

    private let words: [String]
    private let environment: [String: String]
    private let tail = Mutex(ErrorTail())

    /// Creates a program that is searched in `PATH` if its name has no slash; it gets only these variables.
    init(_ words: [String], environment: [String: String]) {
        (self.words, self.environment) = (words, environment)
    }

    /// The name or the path of the program.
    var command: String { words.first ?? "" }

    /// Why the program cannot be started, in the words of the system and before it is tried; `nil` if there is an executable file.
    var obstacle: String? {
        if command.contains("/") { return Self.obstacle(at: command)?.description }
        // Without `PATH`, `Subprocess` searches where the system says.
        guard let folders = environment["PATH"]?.split(separator: ":") else { return nil }
        let isFound = folders.contains { $0.hasPrefix("/") && Self.obstacle(at: "\($0)/\(command)") == nil }
        return isFound ? nil : Errno.noSuchFileOrDirectory.description
    }

    /// Why the file at a path is no program; `nil` if it can be executed.
    fileprivate static func obstacle(at path: String) -> Errno? {
        // Only a folder exists with a slash at its end.
        if unsafe access(path + "/", F_OK) == 0 { return .isDirectory }
        return unsafe access(path, X_OK) == 0 ? nil : Errno(rawValue: errno)
    }

    private var variables: [Environment.Key: String] {
        let variables = environment.compactMap { name, value in Environment.Key(rawValue: name).map { ($0, value) } }
        return Dictionary(variables) { $1 }
    }

    /// The last lines of its standard error so far, without secrets; `nil` if there are none.
    var errors: String? { tail.withLock { $0 }.text(environment: environment) }

    /// Runs the program.
    ///
    /// Children of the program that continue to run, even if they hold its pipes open, are not waited for.
    ///
    /// - Parameters:
    ///   - input: Its standard input.
    ///   - output: What is done with its standard output.
    /// - Returns: How it ended.
    /// - Throws: A `SubprocessError` if it could not be started or wrote too much.
    func run<Output: OutputProtocol>(
        input: some InputProtocol,
        output: Output
    ) async throws -> Ending<Output.OutputType> {
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = [
            .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)
        ]
        // The leader of the session and of its process group is the program.
        var group: ProcessIdentifier?
        defer { if let group { CommandGuard.end(group: group.value) } }
        let result = try await Subprocess.run(
            command.contains("/") ? .path(FilePath(command)) : .name(command),
            arguments: Arguments(Array(words.dropFirst())),
            environment: .custom(variables),
            platformOptions: options,
            input: input,
            output: output,
            error: .sequence
        ) { execution in
            group = execution.processIdentifier
            CommandGuard.add(group: execution.processIdentifier.value)
            for try await chunk in execution.standardError {
                let bytes = unsafe chunk.withUnsafeBytes { unsafe Array($0) }
                tail.withLock { $0.append(bytes) }
            }
        }
        return Ending(status: result.terminationStatus, output: result.standardOutput)
    }
}

extension SubprocessError {
    /// Whether the file is missing or no program.
    var isAboutFile: Bool { code == .executableNotFound || underlyingError == .execFormatError }

    /// Why a program could not be started, in the words of the system.
    func reason(of command: String) -> String {
        code == .executableNotFound
            ? Self.obstacle(at: command).description : underlyingError?.description ?? description
    }

    /// Why no program was found at a path, or in `PATH`; `Subprocess` does not tell the reasons apart.
    private static func obstacle(at command: String) -> Errno {
        guard command.contains("/") else { return .noSuchFileOrDirectory }
        return HelperProgram.obstacle(at: command) ?? .execFormatError
    }
}
