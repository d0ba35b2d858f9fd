import Foundation
import Synchronization
import TripModel

/// Performs the decisions of ``KeyMachine``.
///
/// All functions run under the provider's lock, except the bodies of the tasks.
extension TokenProvider {
    /// Changes the state under the lock, then performs what must be done without it.
    func withState(_ body: (inout ProviderState, inout ProviderState.Effects, Moment) -> Void) {
        let now = clock.now()
        let effects = state.withLock { state in
            var effects = ProviderState.Effects()
            if !state.isClosed { body(&state, &effects, now) }
            return effects
        }
        effects.perform()
    }

    /// Performs an action: counters, events and queues at once, and the effects after the lock is released.
    func perform(
        _ action: KeyMachine.Action,
        of slot: KeyTable.Slot,
        _ state: inout ProviderState,
        _ effects: inout ProviderState.Effects,
        at now: Moment
    ) {
        if let fetch = action.cancelledFetch.flatMap({ state.fetches.removeValue(forKey: $0) }) {
            effects.cancellations.append(fetch)
        }
        for (waiter, result) in action.results {
            if let caller = state.callers.removeValue(forKey: waiter) { effects.resumptions.append((caller, result)) }
        }
        for event in action.events {
            state.counters.count(event)
            publish(event, slot, state, at: now)
        }
        update(slot, &state, at: now)
    }

    /// Updates queues, limits and tasks after a change of a key.
    func update(_ slot: KeyTable.Slot, _ state: inout ProviderState, at now: Moment) {
        state.schedule(slot, at: now)
        for evicted in state.keys.update(slot, at: now) {
            publish(.evicted, evicted, TokenStatus(source: source.name), state, at: now)
        }
        while let (slot, reason) = state.popFetch(at: now) { begin(slot, reason, &state, at: now) }
        setTimer(&state, at: now)
    }

    // MARK: Fetches

    private func begin(_ slot: KeyTable.Slot, _ reason: FetchReason, _ state: inout ProviderState, at now: Moment) {
        let number = state.nextNumber()
        // The timeout is in real time; the machine uses the provider's clock.
        let timeout = state.policy.fetchTimeout * clock.pace
        slot.machine.begin(number: number, reason: reason, timeout: timeout, at: now)
        state.counters.fetches[reason, default: 0] += 1
        state.schedule(slot, at: now)
        publish(.fetching(reason), slot, state, at: now)
        let attempt = FetchAttempt(
            context: slot.context,
            reason: reason,
            held: slot.machine.token?.fingerprint,
            sentAt: now,
            startedAt: clock.realTime
        )
        // Detached because it belongs to the provider, not to a caller; `close()` waits for it.
        state.fetches[number] = Task.detached { [weak self, source, clock, admission] in
            let outcome = await attempt.run(source: source, clock: clock, admission: admission)
            self?.complete(number, attempt, outcome)
        }
    }

    private func complete(_ number: Int, _ attempt: FetchAttempt, _ outcome: FetchAttempt.Outcome) {
        withState { state, effects, now in
            let wasExpected = state.fetches.removeValue(forKey: number) != nil
            guard let slot = state.keys[attempt.context] else {
                if case .success = outcome.result { state.counters.discardedLate += 1 }
                return
            }
            let action = slot.machine.completed(
                number: number,
                result: outcome.result,
                duration: clock.realTime - attempt.startedAt,
                jitter: Double.random(in: 0..<1, using: &state.generator),
                at: now
            )
            if wasExpected {
                state.evidence.record(outcome.evidence, for: attempt.context)
                publishOffset(outcome.clockOffset ?? slot.machine.token?.properties.clockOffset, slot, &state, at: now)
            }
            perform(action, of: slot, &state, &effects, at: now)
        }
    }

    // MARK: The timer

    /// The maximum wait of the timer in real time, so that a change of the wall clock is detected.
    private static let maximumWait = Duration.seconds(30)

    /// Runs one timer until the earliest check; starts no new one if the time is not earlier.
    private func setTimer(_ state: inout ProviderState, at now: Moment) {
        guard let earliest = state.earliestCheck() else { return }
        let until = min(earliest, now.steady + Self.maximumWait * clock.pace)
        // A timer that ends too early is set again. This is cheaper than a new task for every change: the runtime keeps the
        // memory of a cancelled sleep until its original deadline.
        if let timer = state.timer {
            guard until < timer.until else { return }
            timer.task.cancel()
        }
        let number = state.nextNumber()
        let task = Task.detached { [weak self, clock] in
            do { try await clock.sleep(until: until) } catch { return }  // cancelled: another timer replaces it
            self?.checkKeys(timer: number)
        }
        state.timer = ProviderState.Timer(number: number, until: until, task: task)
    }

    /// Checks every key whose time has come, and all keys in use if the wall clock was set.
    private func checkKeys(timer number: Int) {
        withState { state, effects, now in
            // Another timer replaced this one between its end and the lock.
            guard state.timer?.number == number else { return }
            state.timer = nil
            while let slot = state.popDueCheck(at: now) {
                if let fetch = slot.machine.fetch, fetch.timeoutAt <= now.steady {
                    let jitter = Double.random(in: 0..<1, using: &state.generator)
                    perform(slot.machine.timedOut(jitter: jitter, at: now), of: slot, &state, &effects, at: now)
                } else {
                    update(slot, &state, at: now)
                }
            }
            if abs(now.wallBase - state.wallBase) > 1 {
                for slot in state.keys.inOrder(where: { $0.use == .inUse }) { update(slot, &state, at: now) }
            }
            state.wallBase = now.wallBase
            setTimer(&state, at: now)
        }
    }
}

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
