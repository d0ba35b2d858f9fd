package import Failures
package import FleetTokens

/// Gets the tokens of simulated drivers: tokens for vehicles of trips from one endpoint, tokens for delivery vehicles from
/// another endpoint.
package struct DriverTokenSource: RecordingTokenSource {
    private let trips: any TokenSource
    private let deliveries: any TokenSource

    /// The name of the source for trips.
    package var name: String { trips.name }

    /// Creates a source from the sources of the two kinds.
    package init(trips: any TokenSource, deliveries: any TokenSource) {
        (self.trips, self.deliveries) = (trips, deliveries)
    }

    package func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason,
        recording recorder: TokenAnswerRecorder
    ) async throws(Failure) -> IssuedToken {
        try await source(for: context).fetch(context, reason: reason, recording: recorder)
    }

    private func source(for context: AuthorizationContext) -> any TokenSource {
        context.kind == .deliveryVehicle ? deliveries : trips
    }
}
