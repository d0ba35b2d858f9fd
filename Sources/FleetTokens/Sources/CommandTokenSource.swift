import Foundation
import TripModel

/// Tokens that a command prints: an argument vector, no shell in between.
///
/// The ID is in its environment as `TRIPSHARE_TRIP_ID` or `TRIPSHARE_VEHICLE_ID`, so that it can't become an argument of
/// its own. Input and errors are `/dev/null`. It runs in a process group that is killed as a whole when the fetch is
/// cancelled, which the provider does after its time limit.
public struct CommandTokenSource: TokenSource {
    /// `command`.
    public let name = "command"

    private let arguments: [String]
    private let environment: [String: String]
    private let format: TokenAnswerFormat

    /// A source that runs a command with an environment; the first argument is looked for in `PATH`.
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
        // Only the one that is asked for, whatever this process was started with.
        environment["TRIPSHARE_TRIP_ID"] = if case .trip(let trip) = context { trip.rawValue } else { nil }
        environment["TRIPSHARE_VEHICLE_ID"] = if case .vehicle(let vehicle) = context { vehicle.rawValue } else { nil }
        // A NUL would cut the ID short, and the token would be for another trip.
        guard !context.id.utf8.contains(0) else { throw .unsupportedContext }
        let child = ChildProcess(
            arguments: arguments,
            environment: environment,
            maximumBytes: TokenAnswerFormat.maximumBytes
        )
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<ChildProcess.Outcome, Never>) in
                // Reading and waiting block, so they have a thread of their own; the continuation waits for its end.
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
    /// Its name: arguments and environment may hold secrets.
    public var description: String { "<\(name)>" }
    /// The description, and nothing behind it.
    public var customMirror: Mirror { Mirror(self, children: ["source": description]) }
}
