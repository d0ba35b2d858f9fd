import Failures
import FleetTokens
package import TripFeed

extension UserMessage {
    /// Describes which clock is wrong; `nil` if all agree.
    package init?(_ verdict: ClockVerdict, localizer: Localizer = .english) {
        switch verdict {
        case .agree: return nil
        case .endpoint(let offset):
            let difference = localizer.span(offset)
            self.init(
                localizer,
                .clocksDiffer,
                offset < .zero
                    ? .endpointAloneBehind(difference: difference) : .endpointAloneAhead(difference: difference),
                .setEndpointClock
            )
            blame(Diagnosis([Diagnosis.Suspect(.endpointClock, .likely, .othersAgree)]), localizer)
        case .service(let offset):
            let difference = localizer.span(offset)
            self.init(
                localizer,
                .clocksDiffer,
                offset < .zero
                    ? .serviceAloneBehind(difference: difference) : .serviceAloneAhead(difference: difference),
                .setServiceClock
            )
            blame(Diagnosis([Diagnosis.Suspect(.serviceClock, .likely, .othersAgree)]), localizer)
        case .here(let offset):
            let difference = localizer.span(offset)
            self.init(
                localizer,
                .clocksDiffer,
                offset < .zero ? .clockHereAhead(difference: difference) : .clockHereBehind(difference: difference),
                .setClock
            )
            blame(Diagnosis([Diagnosis.Suspect(.clockHere, .likely, .rarelyWrong)]), localizer)
        case .injected(let offset):
            let difference = localizer.span(offset)
            // An audience does not learn that a fault is injected.
            if localizer.hidesFaults {
                self.init(
                    localizer,
                    .clocksDiffer,
                    offset < .zero ? .clockHereAhead(difference: difference) : .clockHereBehind(difference: difference)
                )
            } else {
                self.init(
                    localizer,
                    .clocksDiffer,
                    offset < .zero
                        ? .clockInjectedBehind(difference: difference) : .clockInjectedAhead(difference: difference)
                )
            }
            blame(.injected, localizer)
        }
    }
}
