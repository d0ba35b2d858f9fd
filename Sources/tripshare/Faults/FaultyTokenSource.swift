import Failures
import FleetEmulator
import FleetTokens

/// A source of tokens with the faults of a tester.
struct FaultyTokenSource: RecordingTokenSource {
    let base: any TokenSource
    let faults: ClientFaults

    var name: String { base.name }

    func changes() -> AsyncStream<Void>? { base.changes() }

    func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason,
        recording recorder: TokenAnswerRecorder
    ) async throws(Failure) -> IssuedToken {
        let effects = try await faults.fetchEffects(context, from: base.name, recorder)
        let token = try await base.fetch(context, reason: reason, recording: recorder)
        guard let effects else { return token }
        let changed = effects.token.changed(token)
        let isChanged = changed.revealed != token.revealed
        let exchange = recorder.exchange ?? Exchange(ofSource: base.name)
        recorder.record(exchange.with(exchange.explanation ?? faults.fault(effects, isChanged ? .replaced : .altered)))
        return changed
    }
}

extension Exchange {
    /// Describes a fetch from a source by its name.
    init(ofSource source: String) {
        self.init(.command, Request(source), duration: .zero, ending: .unavailable)
    }
}

extension AuthorizationContext {
    /// The path that the emulator's token endpoint has for the same token.
    var request: String {
        switch self {
        case .trip: "GET /token/consumer"
        default: "GET /token"
        }
    }
}
