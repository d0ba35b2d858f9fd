import FleetTokens
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
/// Standard input and standard error are `/dev/null`, and the command inherits no other open file. It runs in its own process
/// group, which is killed when the fetch is cancelled. The provider cancels a fetch after its timeout.
struct CommandTokenSource: TokenSource {
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

    /// Runs the command once.
    func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason
    ) async throws(TokenSourceError) -> IssuedToken {
        var environment = environment
        // Set only the requested ID, regardless of the environment of this process.
        environment["TRIPSHARE_TRIP_ID"] = if case .trip(let trip) = context { trip.rawValue } else { nil }
        environment["TRIPSHARE_VEHICLE_ID"] = if case .vehicle(let vehicle) = context { vehicle.rawValue } else { nil }
        // A NUL would truncate the ID, and the token would be for another trip.
        guard !context.id.utf8.contains(0) else { throw .unsupportedContext }
        return try format.read(try await output(environment))
    }

    /// Returns the output of the command.
    ///
    /// Children of the command that keep running, even if they hold the pipe open, are not waited for.
    private func output(_ environment: [String: String]) async throws(TokenSourceError) -> [UInt8] {
        guard let command = arguments.first else { throw .commandNotStarted(reason: "there is no command") }
        let variables = environment.compactMap { name, value in Environment.Key(rawValue: name).map { ($0, value) } }
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [
            .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)
        ]
        do {
            let result = try await Subprocess.run(
                command.contains("/") ? .path(FilePath(command)) : .name(command),
                arguments: Arguments(Array(arguments.dropFirst())),
                environment: .custom(Dictionary(variables) { $1 }),
                platformOptions: options,
                output: .bytes(limit: TokenAnswerFormat.maximumBytes)
            )
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
