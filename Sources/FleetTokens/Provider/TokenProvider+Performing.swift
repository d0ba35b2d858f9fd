import Failures
import Foundation
import Runtime
import Synchronization
import TripModel

/// Performs the decisions of ``KeyMachine``.
///
/// All functions run under the provider's lock, except the bodies of the tasks.
extension TokenProvider {
    /// Changes the state under the lock unless the provider is closed, then performs what must be done without the lock.
    func withState(_ body: (inout ProviderState) -> Void) {
        let now = clock.now()
        let effects = state.withLock { state in
            guard !state.isClosed else { return ProviderState.Effects() }
            state.now = now
            body(&state)
            defer { state.effects = ProviderState.Effects() }
            return state.effects
        }
        effects.perform()
    }

    /// Performs an action: counters, events and queues at once, and the effects after the lock is released.
    ///
    /// An action that ends a fetch has the fetch's reason and grants.
    func perform(
        _ action: KeyMachine.Action,
        of slot: KeyTable.Slot,
        _ state: inout ProviderState,
        because reason: FetchReason? = nil,
        grants: [Call] = []
    ) {
        if let fetch = action.cancelledFetch.flatMap({ state.fetches.removeValue(forKey: $0) }) {
            state.effects.cancellations.append(fetch)
        }
        for (waiter, result) in action.results {
            guard let caller = state.callers.removeValue(forKey: waiter) else { continue }
            state.effects.resumptions.append((caller, result))
        }
        for event in action.events {
            state.counters.count(event)
            publish(event, slot.context, &state, because: reason, grants: grants)
        }
        update(slot, &state)
    }

    /// Updates queues, limits and tasks after a change of a key.
    func update(_ slot: KeyTable.Slot, _ state: inout ProviderState) {
        state.queueFetch(of: slot)
        setTimer(until: slot.machine.check(after: state.now), &state)
        for evicted in state.keys.update(slot, at: state.now) {
            publish(.evicted, evicted, &state, status: TokenStatus(source: source.name))
        }
        while let (slot, reason) = state.popFetch() { begin(slot, reason, &state) }
    }

    // MARK: Fetches

    private func begin(_ slot: KeyTable.Slot, _ reason: FetchReason, _ state: inout ProviderState) {
        let number = state.nextNumber()
        // The timeout is in real time; the machine uses the provider's clock.
        let timeout = state.policy.fetchTimeout * clock.pace
        slot.machine.begin(number: number, reason: reason, timeout: timeout, at: state.now)
        setTimer(until: slot.machine.check(after: state.now), &state)
        state.counters.fetches[reason, default: 0] += 1
        publish(.fetching(reason), slot.context, &state)
        let attempt = FetchAttempt(
            number: number,
            context: slot.context,
            reason: reason,
            held: slot.machine.token?.fingerprint,
            serviceAgrees: state.serviceAgrees,
            sentAt: state.now,
            startedAt: clock.realTime
        )
        // Detached because it belongs to the provider, not to a caller; `close()` waits for it.
        state.fetches[number] = Task.detached { [weak self, source, clock, admission] in
            var attempt = attempt
            let result = await attempt.run(source: source, clock: clock, admission: admission)
            self?.complete(attempt, result)
        }
    }

    private func complete(_ attempt: FetchAttempt, _ result: Result<BearerToken, Failure>) {
        withState { state in
            let wasExpected = state.fetches.removeValue(forKey: attempt.number) != nil
            guard let slot = state.keys[attempt.context] else {
                if case .success = result { state.counters.discardedLate += 1 }
                return
            }
            let action = slot.machine.completed(
                number: attempt.number,
                result: result,
                duration: clock.realTime - attempt.startedAt,
                jitter: state.jitter(),
                at: state.now
            )
            if wasExpected {
                state.evidence.record(attempt.evidence, for: attempt.context)
                let offset = attempt.clockOffset ?? slot.machine.token?.properties.clockOffset
                publishOffset(offset, attempt.context, &state)
            }
            perform(action, of: slot, &state, because: attempt.reason, grants: attempt.grants)
        }
    }

    // MARK: The timer

    /// The maximum wait of the timer in real time, so that a change of the wall clock is detected.
    private static let maximumWait = Duration.seconds(30)

    /// Runs one timer until the earliest check; starts no new one if this time is not earlier.
    ///
    /// A check visits all keys, so a pause of 10 µs for each key follows it: 0.1 s with 10,000 keys.
    private func setTimer(until check: Duration?, _ state: inout ProviderState) {
        guard let check else { return }
        let pause = Duration.microseconds(10 * state.keys.count) * clock.pace
        let until = min(max(check, state.lastCheck + pause), state.now.steady + Self.maximumWait * clock.pace)
        // A timer that ends too early is set again. This is cheaper than a new task for every change: the runtime retains the
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

    /// Checks all keys, because the time of some has come or the wall clock was set.
    private func checkKeys(timer number: Int) {
        withState { state in
            // Another timer replaced this one between its end and the lock.
            guard state.timer?.number == number else { return }
            (state.timer, state.lastCheck) = (nil, state.now.steady)
            let due = state.keys.inOrder { $0.machine.isDue(at: state.now) }
            // First queue all, so that the fetches begin in the order of the queue.
            for slot in due { state.queueFetch(of: slot) }
            for slot in due where state.keys[slot.context] === slot {
                if slot.machine.hasTimedOut(at: state.now) {
                    let reason = slot.machine.fetch?.reason
                    let action = slot.machine.timedOut(jitter: state.jitter(), at: state.now)
                    perform(action, of: slot, &state, because: reason)
                } else {
                    update(slot, &state)
                }
            }
            setTimer(until: state.keys.all.compactMap { $0.machine.check(after: state.now) }.min(), &state)
        }
    }
}

/// One fetch from the source, with the validation of its token; runs without the provider's lock.
struct FetchAttempt: Sendable {
    let number: Int
    let context: AuthorizationContext
    let reason: FetchReason
    /// The fingerprint of the stored token.
    let held: String?
    /// Whether the service's clock agrees with the local clock.
    let serviceAgrees: Bool
    let sentAt: Moment
    /// A reading of ``TripClock/realTime`` at the start.
    let startedAt: Duration
    /// The service's clock minus the local clock; `nil` if unknown.
    private(set) var clockOffset: Duration?
    private(set) var evidence = TokenEvidence()
    /// The calls that granted the credentials.
    private(set) var grants: [Call] = []

    mutating func run(
        source: any TokenSource,
        clock: any TripClock,
        admission: TokenAdmission
    ) async -> Result<BearerToken, Failure> {
        // Do not request wildcard tokens for clients, because they would be rejected.
        guard context == .server || context.id != "*" || admission.expectations.allowsWildcard else {
            return .failure(.tokenOverBroad)
        }
        evidence.isOfFetch = true
        let recorder = TokenAnswerRecorder()
        defer {
            (evidence.answer, evidence.exchange, grants) = (recorder.answer, recorder.exchange, recorder.grants)
            evidence.rejected?.injected = recorder.exchange?.explanation
        }
        do throws(Failure) {
            let issued = try await source.fetch(context, reason: reason, recording: recorder)
            return validate(issued, admission, receivedAt: clock.now())
        } catch {
            recorder.refuseLastGrant(error)
            return .failure(
                error.code.family == "transport" && error.asked == .service ? Failure(ofSource: error) : error
            )
        }
    }

    private mutating func validate(
        _ issued: IssuedToken,
        _ admission: TokenAdmission,
        receivedAt: Moment
    ) -> Result<BearerToken, Failure> {
        // The offset is known even if the token is rejected, and may explain the rejection.
        clockOffset = TokenAdmission.clockOffset(of: issued, sentAt: sentAt, receivedAt: receivedAt)
        do throws(Failure) {
            let token = try admission.admit(
                issued,
                for: context,
                held: held,
                serviceAgrees: serviceAgrees,
                sentAt: sentAt,
                receivedAt: receivedAt
            )
            return .success(token)
        } catch {
            let (text, offset) = (issued.revealed, clockOffset)
            evidence.rejected = RejectedToken(
                text,
                for: context,
                .fault(error),
                at: receivedAt,
                clockOffset: offset,
                isAccessToken: issued.isAccessToken
            )
            return .failure(error)
        }
    }
}
