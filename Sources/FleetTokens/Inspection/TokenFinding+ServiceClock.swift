import TripModel

extension TokenFinding {
    /// The service refused a token by a rule about times because its own clock is wrong by this offset to the local clock.
    package static func serviceClock(_ rule: TokenRule, offset: Duration) -> Self {
        let verdict: Key = offset < .zero ? .verdictServiceClockBehind : .verdictServiceClockAhead
        return broken(rule, verdict, ["duration": .span(abs(offset.seconds))], .remedyServiceClock)
    }

    /// Whether the service's clock is the cause, not the token.
    package var isByServiceClock: Bool {
        [.verdictServiceClockAhead, .verdictServiceClockBehind].contains(sentence.key)
    }
}
