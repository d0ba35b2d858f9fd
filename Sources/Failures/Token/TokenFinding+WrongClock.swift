import Runtime

extension TokenFinding {
    /// A clock that makes the service refuse a token although its source did nothing wrong.
    package enum Clock: Sendable {
        case service, here
    }

    /// The service refused a token by a rule about times because a clock is wrong.
    ///
    /// The offset is the service's clock minus the local clock.
    package static func wrongClock(_ clock: Clock, breaking rule: TokenRule, offset: Duration) -> Self {
        let (isBehind, values) = (offset < .zero, ["duration": TokenSentence.Value.span(abs(offset.seconds))])
        return switch clock {
        case .service:
            broken(rule, isBehind ? .verdictServiceClockBehind : .verdictServiceClockAhead, values, .remedyServiceClock)
        case .here: broken(rule, isBehind ? .verdictClockHereAhead : .verdictClockHereBehind, values, .remedyClockHere)
        }
    }

    /// The clock that is the cause; `nil` if the token breaks the rule by itself.
    package var wrongClock: Clock? {
        switch sentence.key {
        case .verdictServiceClockAhead, .verdictServiceClockBehind: .service
        case .verdictClockHereAhead, .verdictClockHereBehind: .here
        default: nil
        }
    }
}
