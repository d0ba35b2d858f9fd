import FleetTokens
package import TripText

/// What a tour has shown, in sentences for people who do not know what a token is.
///
/// The numbers are those of the journey on the screen, so that nothing is counted that was not seen.
package struct Recap {
    /// The sentences.
    package let sentences: [String]

    init(_ state: State) {
        let localizer = state.settings.localizer
        let uses: String? = state.trip.flatMap { trip in
            guard let keys = trip.token?.generation, keys > 0, trip.history.polls > 0 else { return nil }
            return localizer(.recapUses(count: keys, polls: String(trip.history.polls)))
        }
        self.init(uses, localizer)
    }

    /// Creates the recap with a sentence about the tokens of a journey; `nil` for none.
    package init(_ uses: String?, _ localizer: Localizer) {
        sentences = [
            localizer(.recapKey), uses, localizer(.recapRenewal), localizer(.recapDriver), localizer(.recapHidden),
        ]
        .compactMap(\.self)
    }
}
