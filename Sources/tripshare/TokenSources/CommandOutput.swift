import Failures
import FleetTokens
import Subprocess

/// The output of a command that gives a token; its standard input is `/dev/null`.
enum CommandOutput {
    /// Returns the output of a command, or why there is none, within a time.
    static func result(
        of words: [String],
        environment: [String: String],
        timeout: Duration
    ) async -> Result<[UInt8], Failure> {
        let program = HelperProgram(words, environment: environment)
        let result = await withTaskGroup(of: Result<[UInt8], Failure>.self) { group in
            group.addTask {
                await Result { () async throws(Failure) in try await bytes(of: words, from: program) }
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
        return result.mapError { $0.explained(by: program) }
    }

    /// Reads the output of a command.
    ///
    /// - Parameters:
    ///   - words: The command.
    ///   - environment: Its variables.
    ///   - read: Reads the output.
    /// - Returns: What was read.
    /// - Throws: The failure of the command or of the reading, with the last lines of the standard error, which say why.
    static func read<Content>(
        of words: [String],
        environment: [String: String],
        _ read: (_ output: () async throws(Failure) -> [UInt8]) async throws(Failure) -> Content
    ) async throws(Failure) -> Content {
        let program = HelperProgram(words, environment: environment)
        do throws(Failure) {
            return try await read { () async throws(Failure) in try await bytes(of: words, from: program) }
        } catch {
            throw error.explained(by: program)
        }
    }

    private static func bytes(of words: [String], from program: HelperProgram) async throws(Failure) -> [UInt8] {
        guard !words.isEmpty else { throw .commandNotStarted(reason: "there is no command") }
        let ending: HelperProgram.Ending<[UInt8]>
        do {
            ending = try await program.run(input: .none, output: .bytes(limit: TokenAnswerFormat.maximumBytes))
        } catch {
            if Task.isCancelled { throw .sourceCancelled }
            throw Self.failure(error, of: words[0])
        }
        if Task.isCancelled { throw .sourceCancelled }
        switch ending.status {
        case .exited(0): return ending.output
        case .exited(let status): throw .commandFailed(exitStatus: Int(status))
        case .signaled(let signal): throw .commandKilled(signal: Int(signal))
        }
    }

    private static func failure(_ error: any Error, of command: String) -> Failure {
        guard let error = error as? SubprocessError else { return .commandNotStarted(reason: "\(type(of: error))") }
        return error.code == .outputLimitExceeded
            ? .sourceTooLarge(limit: TokenAnswerFormat.maximumBytes)
            : .commandNotStarted(reason: error.reason(of: command))
    }
}

extension Failure {
    /// Returns the failure with the last lines that a program wrote to its standard error.
    fileprivate func explained(by program: HelperProgram) -> Failure {
        // A cancelled program has not failed.
        code == .cancelled ? self : saying(program.errors)
    }
}
