import Foundation
import Synchronization
import TripModel

// Performs the decisions of ``KeyMachine``.
//
// All functions run under the provider's lock, except the bodies of the tasks.
extension TokenProvider {
    /// The maximum sleep of the timer task in real time, so that a change of the wall clock is detected.
    private static let longestSleep = Duration.seconds(30)

    /// Updates queues, limits and tasks after a change of a key.
    func settle(
        _ entry: ProviderState.Entry,
        _ context: AuthorizationContext,
        _ state: inout ProviderState,
        at now: Moment
    ) {
        guard !state.isClosed else { return }
        if entry.machine.want(at: now) != nil { state.enqueue(entry, context, at: now) }
        state.schedule(entry, context, at: now)
        for victim in state.count(entry, context, at: now) {
            announce(.evicted, victim, TokenStatus(source: source.name), state, at: now)
        }
        launchWanted(&state, at: now)
        arm(&state, at: now)
    }

    /// Starts fetches up to the limit.
    private func launchWanted(_ state: inout ProviderState, at now: Moment) {
        while state.flights.count < state.policy.flightLimit, let (context, entry, reason) = state.nextWanted(at: now) {
            state.lastFlight += 1
            let number = state.lastFlight
            // The timeout is in real time; the machine uses the provider's clock.
            let timeout = state.policy.flightTimeout * clock.pace
            entry.machine.begin(number: number, reason: reason, timeout: timeout, at: now)
            state.counters.flights[reason, default: 0] += 1
            state.schedule(entry, context, at: now)
            announce(.fetching(reason), context, entry.machine, state, at: now)
            state.flights[number] = ProviderState.FlightTask(
                context: context,
                timeoutAt: now.steady + timeout,
                task: flight(number, context, reason, sentAt: now)
            )
        }
    }

    /// Creates the task of one fetch.
    ///
    /// It is detached because it belongs to the provider, not to a caller; `close()` waits for it.
    private func flight(
        _ number: Int,
        _ context: AuthorizationContext,
        _ reason: FetchReason,
        sentAt: Moment
    ) -> Task<Void, Never> {
        Task.detached { [weak self, source, clock, admission] in
            let result: Result<AdmittedToken, FlightFailure>
            var offset: Duration?
            let recorder = TokenAnswerRecorder()
            var evidence = EvidenceStore.Evidence()
            do throws(TokenSourceError) {
                // Do not request wildcard tokens, because they would be rejected.
                guard context.id != "*" || admission.expectations.allowsWildcard else {
                    self?.land(number, context, .failure(.fault(.overBroad)), offset: nil, sentAt: sentAt)
                    return
                }
                let issued = try await source.fetch(context, reason: reason, recording: recorder)
                let receivedAt = clock.now()
                result = Self.judge(
                    issued,
                    context,
                    admission,
                    held: self?.heldFingerprint(of: context),
                    sentAt: sentAt,
                    receivedAt: receivedAt
                )
                // The offset is known even if the token is rejected, and may explain the rejection.
                offset = TokenAdmission.clockOffset(of: issued, sentAt: sentAt, receivedAt: receivedAt)
                if case .failure(.fault(let fault)) = result {
                    evidence.rejected = RejectedToken(
                        issued.revealed,
                        for: context,
                        .fault(fault),
                        at: receivedAt,
                        clockOffset: offset
                    )
                }
            } catch {
                result = .failure(.source(error))
            }
            evidence.answer = recorder.answer
            self?.land(number, context, result, offset: offset, evidence, sentAt: sentAt)
        }
    }

    private static func judge(
        _ issued: IssuedToken,
        _ context: AuthorizationContext,
        _ admission: TokenAdmission,
        held: String?,
        sentAt: Moment,
        receivedAt: Moment
    ) -> Result<AdmittedToken, FlightFailure> {
        do throws(TokenFault) {
            let token = try admission.admit(issued, for: context, held: held, sentAt: sentAt, receivedAt: receivedAt)
            return .success(token)
        } catch {
            return .failure(.fault(error))
        }
    }

    /// Returns the fingerprint of a key's stored token.
    private func heldFingerprint(of context: AuthorizationContext) -> String? {
        state.withLock { $0.places[context]?.entry.machine.token?.bearer.fingerprint }
    }

    private func land(
        _ number: Int,
        _ context: AuthorizationContext,
        _ result: Result<AdmittedToken, FlightFailure>,
        offset: Duration?,
        _ evidence: EvidenceStore.Evidence = EvidenceStore.Evidence(),
        sentAt: Moment
    ) {
        let now = clock.now()
        let duration = (now.steady - sentAt.steady) / clock.pace
        let work = state.withLock { state in
            var work = ProviderState.Work()
            guard !state.isClosed else { return work }
            let wasExpected = state.flights.removeValue(forKey: number) != nil
            guard let entry = state.places[context]?.entry else {
                if case .success = result { state.counters.discardedLate += 1 }
                return work
            }
            if wasExpected { state.evidence.record(evidence, for: context) }
            let release = entry.machine.landed(
                number: number,
                result: result,
                duration: duration,
                chance: state.generator.unit(),
                at: now
            )
            if wasExpected {
                let offset = offset ?? entry.machine.token?.clockOffset
                announce(offset: offset, entry, context, state: &state, at: now)
            }
            release.carryOut(entry, context, self, &state, &work, at: now)
            return work
        }
        work.perform()
    }

    // MARK: The timer task

    /// Runs one timer task until the earliest valid time; starts no new task if the time is unchanged.
    private func arm(_ state: inout ProviderState, at now: Moment) {
        guard let earliest = state.earliestTime() else { return }
        let until = min(earliest, now.steady + Self.longestSleep * clock.pace)
        // A task that wakes too early sleeps again or ends. This is cheaper than a new task for every change: the runtime
        // keeps the memory of a cancelled sleep until its original deadline.
        if let sleeper = state.sleeper {
            guard until < sleeper.until else { return }
            sleeper.task.cancel()
        }
        state.lastSleeper += 1
        let number = state.lastSleeper
        let task = Task.detached { [weak self, clock] in
            do { try await clock.sleep(until: until) } catch { return }  // cancelled: another task replaces it
            self?.wake(number)
        }
        state.sleeper = (number, until, task)
    }

    /// Checks every key whose time has come, and all keys in use if the wall clock was set.
    private func wake(_ number: Int) {
        let now = clock.now()
        let work = state.withLock { state in
            var work = ProviderState.Work()
            // Another task replaced this one between its wake-up and the lock.
            guard !state.isClosed, state.sleeper?.number == number else { return work }
            state.sleeper = nil
            for (context, entry) in state.overdue(at: now) { look(at: entry, context, &state, &work, now) }
            while let (context, entry) = state.popDue(at: now) { look(at: entry, context, &state, &work, now) }
            let base = ProviderState.wallBase(at: now)
            if abs(base - state.wallBase) > 1 {
                for (context, entry) in state.inOrder(where: \.machine.isInUse) {
                    look(at: entry, context, &state, &work, now)
                }
            }
            state.wallBase = base
            arm(&state, at: now)
            return work
        }
        work.perform()
    }

    private func look(
        at entry: ProviderState.Entry,
        _ context: AuthorizationContext,
        _ state: inout ProviderState,
        _ work: inout ProviderState.Work,
        _ now: Moment
    ) {
        guard let flight = entry.machine.flight, flight.timeoutAt <= now.steady else {
            return settle(entry, context, &state, at: now)
        }
        let release = entry.machine.timedOut(chance: state.generator.unit(), at: now)
        release.carryOut(entry, context, self, &state, &work, at: now)
    }

    // MARK: Events

    func announce(
        _ kind: TokenEvent.Kind,
        _ context: AuthorizationContext,
        _ machine: KeyMachine,
        _ state: borrowing ProviderState,
        at now: Moment
    ) {
        guard !state.subscribers.isEmpty else { return }
        let status = machine.status(source: source.name, at: now).with(state.evidence[context])
        announce(kind, context, status, state, at: now)
    }

    /// Sends events under the lock to keep them in order.
    func announce(
        _ kind: TokenEvent.Kind,
        _ context: AuthorizationContext,
        _ status: TokenStatus,
        _ state: borrowing ProviderState,
        at now: Moment
    ) {
        for subscriber in state.subscribers.values {
            subscriber.hear(TokenEvent(context: context, at: now, kind: kind, status: status))
        }
    }

    /// Sends an event when the clock offset becomes significant and when it changes.
    private func announce(
        offset: Duration?,
        _ entry: ProviderState.Entry,
        _ context: AuthorizationContext,
        state: inout ProviderState,
        at now: Moment
    ) {
        guard let offset else { return }
        guard abs(offset.seconds - state.announcedOffset) > 5 else { return }
        state.announcedOffset = offset.seconds
        state.counters.clockDisagreements += 1
        announce(.clockDisagreement(offset), context, entry.machine, state, at: now)
    }
}

extension KeyMachine.Release {
    /// Updates counters, events and queues after a decision; callers are resumed after the lock is released.
    func carryOut(
        _ entry: ProviderState.Entry,
        _ context: AuthorizationContext,
        _ provider: TokenProvider,
        _ state: inout ProviderState,
        _ work: inout ProviderState.Work,
        at now: Moment
    ) {
        if let abandoned, let flight = state.flights.removeValue(forKey: abandoned) {
            work.cancellations.append(flight.task)
        }
        for (waiter, result) in outcomes {
            if let waiting = state.waiting.removeValue(forKey: waiter) { work.resumptions.append((waiting, result)) }
        }
        // Leases read the version without the lock, so it must be published before the event.
        state.show(entry, context)
        for event in events {
            switch event {
            case .stored, .repeated: state.counters.successes += 1
            case .failed(let error):
                if let failure = TokenCounters.Failure(error) { state.counters.failures[failure, default: 0] += 1 }
            case .discardedLate: state.counters.discardedLate += 1
            case .fetching, .rejected, .clockDisagreement, .omitted, .evicted, .closed: break
            }
            provider.announce(event, context, entry.machine, state, at: now)
        }
        provider.settle(entry, context, &state, at: now)
    }
}
