import Failures
import FleetTokens
import ProcessControl
import Subprocess
import TripModel

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// Gets tokens from the output of a command, which runs without a shell.
///
/// The ID is in its environment as `TRIPSHARE_TRIP_ID` or `TRIPSHARE_VEHICLE_ID`, so that it cannot become an extra argument.
/// Standard input and standard error are `/dev/null`, and the command inherits no other open file. It runs in its own session,
/// so that it has no terminal to read from or write to. Its process group is killed when the command has ended, when the fetch is
/// cancelled, which the provider does after its timeout, and when this process ends, however it ends. Only a child that leaves
/// the group, as a daemon does, remains.
struct CommandTokenSource: RecordingTokenSource {
    /// `command`.
    let name = "command"

    private let arguments: [String]
    private let environment: [String: String]
    private let format: TokenAnswerFormat

    /// Creates a source that runs a command with an environment; the first word is searched in `PATH`.
    init(
        arguments: [String],
        environment: [String: String],
        format: TokenAnswerFormat = TokenAnswerFormat()
    ) {
        self.arguments = arguments
        self.environment = environment
        self.format = format
    }

    /// Runs the command once and records how it ended.
    func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason,
        recording recorder: TokenAnswerRecorder
    ) async throws(TokenSourceError) -> IssuedToken {
        var environment = environment
        // Set only the requested ID, regardless of the environment of this process.
        environment["TRIPSHARE_TRIP_ID"] = if case .trip(let trip) = context { trip.rawValue } else { nil }
        environment["TRIPSHARE_VEHICLE_ID"] = if case .vehicle(let vehicle) = context { vehicle.rawValue } else { nil }
        // A NUL would truncate the ID, and the token would be for another trip.
        guard !context.id.utf8.contains(0) else { throw .unsupportedContext }
        let record = SourceRecord(.command, name: arguments.first.map { excerpt(path: $0) } ?? "", recorder)
        return try await record.token(in: format) { () async throws(TokenSourceError) in
            try await output(environment)
        }
    }

    /// Returns the output of the command.
    ///
    /// Children of the command that keep running, even if they hold the pipe open, are not waited for.
    private func output(_ environment: [String: String]) async throws(TokenSourceError) -> [UInt8] {
        guard let command = arguments.first else { throw .commandNotStarted(reason: "there is no command") }
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
                arguments: Arguments(Array(arguments.dropFirst())),
                environment: .custom(Dictionary(variables) { $1 }),
                platformOptions: options,
                input: .none,
                output: .bytes(limit: TokenAnswerFormat.maximumBytes),
                error: .discarded
            ) { execution in
                group = execution.processIdentifier
                CommandGuard.add(group: execution.processIdentifier.value)
            }
            if Task.isCancelled { throw TokenSourceError.cancelled }
            switch result.terminationStatus {
            case .exited(0): return result.standardOutput
            case .exited(let status): throw TokenSourceError.commandFailed(exitStatus: Int(status))
            case .signaled(let signal): throw TokenSourceError.commandKilled(signal: Int(signal))
            }
        } catch let error as TokenSourceError {
            throw error
        } catch {
            if Task.isCancelled { throw .cancelled }
            throw Self.reason(error)
        }
    }

    private static func reason(_ error: any Error) -> TokenSourceError {
        guard let error = error as? SubprocessError else { return .commandNotStarted(reason: "\(type(of: error))") }
        switch error.code {
        case .outputLimitExceeded: return .tooLarge(limit: TokenAnswerFormat.maximumBytes)
        case .executableNotFound: return .commandNotStarted(reason: Errno.noSuchFileOrDirectory.description)
        default: return .commandNotStarted(reason: error.underlyingError?.description ?? error.description)
        }
    }
}

extension CommandTokenSource: Redacted {
    /// The name only: arguments and environment may contain secrets.
    var description: String { "<\(name)>" }
}
