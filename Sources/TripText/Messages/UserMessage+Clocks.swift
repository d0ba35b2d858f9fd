import FleetTokens
package import TripFeed

extension UserMessage {
    /// Describes which clock is wrong; `nil` if all agree.
    package init?(_ verdict: ClockVerdict, localizer: Localizer = .english) {
        switch verdict {
        case .agree: return nil
        case .endpoint(let offset):
            let what: StringKey = offset < .zero ? .endpointAloneBehind : .endpointAloneAhead
            self.init(localizer, .clocksDiffer, what, .setEndpointClock, localizer.span(offset))
            setParty(.endpointClock, localizer)
        case .service(let offset):
            let what: StringKey = offset < .zero ? .serviceAloneBehind : .serviceAloneAhead
            self.init(localizer, .clocksDiffer, what, .setServiceClock, localizer.span(offset))
            setParty(.serviceClock, localizer)
        case .here(let offset):
            let what: StringKey = offset < .zero ? .clockHereAhead : .clockHereBehind
            self.init(localizer, .clocksDiffer, what, .setClock, localizer.span(offset))
            setParty(.clockHere, localizer)
        }
    }
}
