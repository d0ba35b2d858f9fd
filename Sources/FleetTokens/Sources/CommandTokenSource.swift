import Foundation
import TripModel

/// Gets tokens from the output of a command, which runs without a shell.
///
/// The ID is in its environment as `TRIPSHARE_TRIP_ID` or `TRIPSHARE_VEHICLE_ID`, so that it cannot become an extra argument.
/// Standard input and standard error are `/dev/null`. It runs in its own process group, which is killed when the fetch is
/// cancelled. The provider cancels a fetch after its timeout.
public struct CommandTokenSource: TokenSource {
    /// `command`.
    public let name = "command"

    private let arguments: [String]
    private let environment: [String: String]
    private let format: TokenAnswerFormat

    /// Creates a source that runs a command with an environment; the first word is searched in `PATH`.
    public init(
        arguments: [String],
        environment: [String: String],
        format: TokenAnswerFormat = TokenAnswerFormat()
    ) {
        self.arguments = arguments
        self.environment = environment
        self.format = format
    }

    /// Runs the command once.
    public func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason
    ) async throws(TokenSourceError) -> IssuedToken {
        guard !arguments.isEmpty else { throw .commandNotStarted(reason: "there is no command") }
        var environment = environment
        // Set only the requested ID, regardless of the environment of this process.
        environment["TRIPSHARE_TRIP_ID"] = if case .trip(let trip) = context { trip.rawValue } else { nil }
        environment["TRIPSHARE_VEHICLE_ID"] = if case .vehicle(let vehicle) = context { vehicle.rawValue } else { nil }
        // A NUL would truncate the ID, and the token would be for another trip.
        guard !context.id.utf8.contains(0) else { throw .unsupportedContext }
        let child = ChildProcess(
            arguments: arguments,
            environment: environment,
            maximumBytes: TokenAnswerFormat.maximumBytes
        )
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<ChildProcess.Outcome, Never>) in
                // Reading and waiting block, so they run on their own thread, which resumes the continuation at its end.
                Thread.detachNewThread { continuation.resume(returning: child.run()) }
            }
        } onCancel: {
            child.kill()
        }
        if Task.isCancelled { throw .cancelled }
        switch result {
        case .notStarted(let reason): throw .commandNotStarted(reason: reason)
        case .tooMuchOutput: throw .tooLarge(limit: TokenAnswerFormat.maximumBytes)
        case .killed(let signal): throw .commandKilled(signal: signal)
        case .exited(let status, _) where status != 0: throw .commandFailed(exitStatus: status)
        case .exited(_, let output): return try format.read(output)
        }
    }
}

extension CommandTokenSource: CustomStringConvertible, CustomReflectable {
    /// The name only: arguments and environment may contain secrets.
    public var description: String { "<\(name)>" }
    /// A mirror with the description only.
    public var customMirror: Mirror { Mirror(self, children: ["source": description]) }
}
