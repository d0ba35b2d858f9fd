import Failures
import FleetTokens
import Subprocess
import Terminal

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// The output of a command that gives a token.
///
/// Standard input and standard error are `/dev/null`, and the command inherits no other open file. It runs in its own session,
/// so that it has no terminal to read from or write to. Its process group is killed when the command has ended, when the fetch is
/// cancelled, which the provider does after its timeout, and when this process ends, however it ends. Only a child that leaves
/// the group, as a daemon does, remains.
enum CommandOutput {
    /// Returns the output of a command, or why there is none, within a time.
    static func result(
        of words: [String],
        environment: [String: String],
        timeout: Duration
    ) async -> Result<[UInt8], Failure> {
        await withTaskGroup(of: Result<[UInt8], Failure>.self) { group in
            group.addTask {
                await Result { () async throws(Failure) in try await bytes(of: words, environment: environment)
                }
            }
            group.addTask {
                // The wait ends early when the command has ended.
                try? await Task.sleep(for: timeout, clock: .continuous)
                return .failure(.sourceTimedOut)
            }
            let first = await group.next() ?? .failure(.sourceCancelled)
            group.cancelAll()
            return first
        }
    }

    /// Returns the output of the command.
    ///
    /// Children of the command that keep running, even if they hold the pipe open, are not waited for.
    static func bytes(
        of words: [String],
        environment: [String: String]
    ) async throws(Failure) -> [UInt8] {
        guard let command = words.first else { throw .commandNotStarted(reason: "there is no command") }
        let variables = environment.compactMap { name, value in Environment.Key(rawValue: name).map { ($0, value) } }
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = [
            .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)
        ]
        // The leader of the session and of its process group is the command.
        var group: ProcessIdentifier?
        defer { if let group { CommandGuard.end(group: group.value) } }
        do {
            let result = try await Subprocess.run(
                command.contains("/") ? .path(FilePath(command)) : .name(command),
                arguments: Arguments(Array(words.dropFirst())),
                environment: .custom(Dictionary(variables) { $1 }),
                platformOptions: options,
                input: .none,
                output: .bytes(limit: TokenAnswerFormat.maximumBytes),
                error: .discarded
            ) { execution in
                group = execution.processIdentifier
                CommandGuard.add(group: execution.processIdentifier.value)
            }
            if Task.isCancelled { throw Failure.sourceCancelled }
            switch result.terminationStatus {
            case .exited(0): return result.standardOutput
            case .exited(let status): throw Failure.commandFailed(exitStatus: Int(status))
            case .signaled(let signal): throw Failure.commandKilled(signal: Int(signal))
            }
        } catch let error as Failure {
            throw error
        } catch {
            if Task.isCancelled { throw .sourceCancelled }
            throw Self.reason(error)
        }
    }

    private static func reason(_ error: any Error) -> Failure {
        guard let error = error as? SubprocessError else { return .commandNotStarted(reason: "\(type(of: error))") }
        switch error.code {
        case .outputLimitExceeded: return .sourceTooLarge(limit: TokenAnswerFormat.maximumBytes)
        case .executableNotFound: return .commandNotStarted(reason: Errno.noSuchFileOrDirectory.description)
        default: return .commandNotStarted(reason: error.underlyingError?.description ?? error.description)
        }
    }
}
