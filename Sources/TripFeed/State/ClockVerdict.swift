import Runtime
import TripModel

/// Which clock is wrong, judged by the times of the token endpoint, the service and this machine.
package enum ClockVerdict: Sendable, Equatable {
    /// All known clocks agree.
    case agree
    /// The endpoint's clock differs and the service's agrees with this machine's; positive if it is ahead.
    case endpoint(Duration)
    /// The service's clock differs and the endpoint's agrees with this machine's; positive if it is ahead.
    case service(Duration)
    /// This machine's clock differs from the service's; positive if the service's is ahead.
    case here(Duration)
    /// An injected fault has changed the times of the answers, so that no clock is known to be wrong.
    case injected(Duration)

    /// Smaller differences, in seconds, are ignored.
    private static let tolerance = 5.0

    /// Computes the verdict from the offsets to this machine's clock; the endpoint's is `nil` if unknown.
    package init(endpoint: Duration?, service: Duration) {
        func differs(_ offset: Duration) -> Bool { abs(offset.seconds) > Self.tolerance }
        switch (endpoint, differs(service)) {
        case (let endpoint?, false) where differs(endpoint): self = .endpoint(endpoint)
        case (let endpoint?, true) where !differs(endpoint): self = .service(service)
        case (_, true): self = .here(service)
        case (_, false): self = .agree
        }
    }

    /// Computes the verdict about the clocks of the answers for a trip; the endpoint's offset is `nil` if unknown.
    package init(endpoint: Duration?, _ state: TripState) {
        let verdict = ClockVerdict(endpoint: endpoint, service: state.clockOffset)
        switch verdict {
        case .service(let offset) where state.isClockInjected, .here(let offset) where state.isClockInjected:
            self = .injected(offset)
        case .agree, .endpoint, .service, .here, .injected: self = verdict
        }
    }

    /// Whether another verdict blames the same clock for nearly the same difference.
    package func isSimilar(_ other: ClockVerdict) -> Bool {
        switch (self, other) {
        case (.agree, .agree): true
        case (.endpoint(let one), .endpoint(let two)), (.service(let one), .service(let two)),
            (.here(let one), .here(let two)), (.injected(let one), .injected(let two)):
            abs((one - two).seconds) <= Self.tolerance
        case (.agree, _), (.endpoint, _), (.service, _), (.here, _), (.injected, _): false
        }
    }
}
