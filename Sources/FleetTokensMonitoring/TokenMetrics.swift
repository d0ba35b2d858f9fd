public import CoreMetrics
public import FleetTokens
import Runtime
import Synchronization
import TripModel

/// Reports a provider's counters to a metrics backend, as counters and gauges named `fleet_tokens_…`.
///
/// It has no timer: call ``update(from:)`` as often as the backend is read. Each call adds the change since the last one.
public final class TokenMetrics: Sendable {
    private typealias Reading = @Sendable (TokenCounters) -> Int

    private let counters: [(counter: Counter, reading: Reading)]
    private let keys: Gauge
    private let inFlight: Gauge
    private let oldestWaiter: Gauge
    private let nextRefresh: Gauge
    private let reported = Locked(TokenCounters())

    /// Creates the metrics of one provider; `dimensions` distinguish it from others.
    public init(
        dimensions: [(String, String)] = [],
        factory: any MetricsFactory = MetricsSystem.factory
    ) {
        func counter(
            _ name: String,
            _ more: [(String, String)] = [],
            _ reading: @escaping Reading
        ) -> (counter: Counter, reading: Reading) {
            (Counter(label: "fleet_tokens_\(name)", dimensions: dimensions + more, factory: factory), reading)
        }
        func gauge(_ name: String) -> Gauge {
            Gauge(label: "fleet_tokens_\(name)", dimensions: dimensions, factory: factory)
        }
        let fetches = FetchReason.allCases.map { reason in
            counter("fetches", [("reason", reason.rawValue)]) { $0.fetches[reason] ?? 0 }
        }
        let failures = TokenCounters.Failure.allCases.map { failure in
            counter("failures", [("kind", failure.rawValue)]) { $0.failures[failure] ?? 0 }
        }
        counters =
            [
                counter("hits") { $0.hits }, counter("stale_served") { $0.staleServed },
                counter("joins") { $0.joins }, counter("starts") { $0.starts },
                counter("negative_hits") { $0.negativeHits }, counter("refusals") { $0.refusals },
                counter("successes") { $0.successes }, counter("discarded_late") { $0.discardedLate },
                counter("rejections") { $0.rejections }, counter("ignored_rejections") { $0.ignoredRejections },
                counter("evictions") { $0.evictions }, counter("cancelled_waits") { $0.cancelledWaits },
                counter("clock_disagreements") { $0.clockDisagreements },
            ] + fetches + failures
        keys = gauge("keys")
        inFlight = gauge("in_flight")
        oldestWaiter = gauge("oldest_waiter_seconds")
        nextRefresh = gauge("next_refresh_seconds")
    }

    /// Updates the metrics from the provider's counters; visits every key.
    public func update(from provider: TokenProvider) { update { provider.counters } }

    /// Updates the metrics from counters.
    func update(_ read: () -> TokenCounters) {
        // Read under the lock, too: otherwise, of two concurrent calls, the later one could report older counts.
        reported.withLock { before in
            let now = read()
            for (counter, reading) in counters {
                let more = reading(now) - reading(before)
                if more > 0 { counter.increment(by: more) }
            }
            before = now
            keys.record(now.keys)
            inFlight.record(now.inFlight)
            oldestWaiter.record(now.oldestWaiter?.seconds ?? 0)
            // Without a token in use, there is no next refresh to record.
            if let next = now.nextRefresh { nextRefresh.record(next.seconds) }
        }
    }
}
