import Failures
import FleetTokens
import TripModel

/// Fetches the tokens of trips and of shipments; their endpoints or answers may differ.
struct JourneyTokenSource: RecordingTokenSource {
    let trips: any TokenSource
    let shipments: any TokenSource

    var name: String { trips.name }

    func changes() -> AsyncStream<Void>? { trips.changes() }

    func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason,
        recording recorder: TokenAnswerRecorder
    ) async throws(Failure) -> IssuedToken {
        let source = context.journey?.kind == .shipment ? shipments : trips
        return try await source.fetch(context, reason: reason, recording: recorder)
    }
}
