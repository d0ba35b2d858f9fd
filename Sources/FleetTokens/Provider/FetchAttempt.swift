import TripModel

/// One fetch from the source, with the validation of its token; runs without the provider's lock.
struct FetchAttempt: Sendable {
    /// What a fetch has resulted in.
    struct Outcome: Sendable {
        var result: Result<BearerToken, FetchFailure>
        /// The service's clock minus the local clock; `nil` if unknown.
        var clockOffset: Duration?
        var evidence = TokenEvidence()
    }

    let context: AuthorizationContext
    let reason: FetchReason
    /// The fingerprint of the stored token.
    let held: String?
    let sentAt: Moment
    /// A reading of ``TripClock/realTime`` at the start.
    let startedAt: Duration

    func run(source: any TokenSource, clock: any TripClock, admission: TokenAdmission) async -> Outcome {
        // Do not request wildcard tokens for clients, because they would be rejected.
        guard context == .server || context.id != "*" || admission.expectations.allowsWildcard else {
            return Outcome(result: .failure(.fault(.overBroad)))
        }
        let recorder = TokenAnswerRecorder()
        var outcome: Outcome
        do throws(TokenSourceError) {
            let issued = try await source.fetch(context, reason: reason, recording: recorder)
            outcome = validate(issued, admission, receivedAt: clock.now())
        } catch {
            outcome = Outcome(result: .failure(.source(error)))
        }
        outcome.evidence.answer = recorder.answer
        return outcome
    }

    private func validate(_ issued: IssuedToken, _ admission: TokenAdmission, receivedAt: Moment) -> Outcome {
        // The offset is known even if the token is rejected, and may explain the rejection.
        let offset = TokenAdmission.clockOffset(of: issued, sentAt: sentAt, receivedAt: receivedAt)
        do throws(TokenFault) {
            let token = try admission.admit(issued, for: context, held: held, sentAt: sentAt, receivedAt: receivedAt)
            return Outcome(result: .success(token), clockOffset: offset)
        } catch {
            let text = issued.revealed
            let rejected = RejectedToken(text, for: context, .fault(error), at: receivedAt, clockOffset: offset)
            return Outcome(
                result: .failure(.fault(error)),
                clockOffset: offset,
                evidence: TokenEvidence(rejected: rejected)
            )
        }
    }
}
