import Failures
import FleetTokens
import TripModel

/// Gets tokens from the output of a command, which runs without a shell.
///
/// The ID is in its environment as `TRIPSHARE_TRIP_ID` or `TRIPSHARE_VEHICLE_ID`, so that it cannot become an extra argument.
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

    /// The environment variables with the ID of a subject.
    private static let variables: [AuthorizationContext.Kind: String] = [
        .trip: "TRIPSHARE_TRIP_ID", .vehicle: "TRIPSHARE_VEHICLE_ID", .tracking: "TRIPSHARE_TRACKING_ID",
        .task: "TRIPSHARE_TASK_ID", .deliveryVehicle: "TRIPSHARE_DELIVERY_VEHICLE_ID",
    ]

    /// Runs the command once and records how it ended.
    func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason,
        recording recorder: TokenAnswerRecorder
    ) async throws(Failure) -> IssuedToken {
        var environment = environment
        // Set only the requested ID, regardless of the environment of this process.
        for (kind, name) in Self.variables { environment[name] = kind == context.kind ? context.id : nil }
        // A NUL would truncate the ID, and the token would be for another trip.
        guard !context.id.utf8.contains(0) else { throw .sourceUnsupportedContext }
        let record = SourceRecord(.command, name: arguments.first.map { excerpt(path: $0) } ?? "", recorder)
        return try await CommandOutput.read(of: arguments, environment: environment) { output throws(Failure) in
            try await record.token(in: format, from: output)
        }
    }
}

extension CommandTokenSource: Redacted {
    /// The name only: arguments and environment may contain secrets.
    var description: String { "<\(name)>" }
}
