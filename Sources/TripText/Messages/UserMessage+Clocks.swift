import Failures
import FleetTokens
package import TripFeed

extension UserMessage {
    /// Describes which clock is wrong; `nil` if all agree.
    package init?(_ verdict: ClockVerdict, localizer: Localizer = .english) {
        switch verdict {
        case .agree: return nil
        case .endpoint(let offset):
            self.init(
                localizer,
                .clocksDiffer,
                offset < .zero ? .endpointAloneBehind : .endpointAloneAhead,
                .setEndpointClock,
                ["difference": localizer.span(offset)]
            )
            blame(Diagnosis([Diagnosis.Suspect(.endpointClock, .likely, .othersAgree)]), localizer)
        case .service(let offset):
            self.init(
                localizer,
                .clocksDiffer,
                offset < .zero ? .serviceAloneBehind : .serviceAloneAhead,
                .setServiceClock,
                ["difference": localizer.span(offset)]
            )
            blame(Diagnosis([Diagnosis.Suspect(.serviceClock, .likely, .othersAgree)]), localizer)
        case .here(let offset):
            self.init(
                localizer,
                .clocksDiffer,
                offset < .zero ? .clockHereAhead : .clockHereBehind,
                .setClock,
                ["difference": localizer.span(offset)]
            )
            blame(Diagnosis([Diagnosis.Suspect(.clockHere, .likely, .rarelyWrong)]), localizer)
        case .injected(let offset):
            let difference = localizer.span(offset)
            // An audience is not told that a fault is injected.
            if localizer.hidesFaults {
                self.init(
                    localizer,
                    .clocksDiffer,
                    offset < .zero ? .clockHereAhead : .clockHereBehind,
                    nil,
                    ["difference": difference]
                )
            } else {
                self.init(
                    localizer,
                    .clocksDiffer,
                    offset < .zero ? .clockInjectedBehind : .clockInjectedAhead,
                    nil,
                    ["difference": difference]
                )
            }
            blame(.injected, localizer)
        }
    }
}
