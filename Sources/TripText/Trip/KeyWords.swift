import Foundation
import Runtime
package import TripFeed
package import TripModel

/// Words what may be said about the tokens of a journey, for people who do not know what a token is.
package struct KeyWords {
    private let journey: JourneyID
    private let localizer: Localizer

    /// Creates the words for the tokens of a journey.
    package init(_ journey: JourneyID, _ localizer: Localizer) {
        (self.journey, self.localizer) = (journey, localizer.about(journey.kind))
    }

    /// Returns the sentences about a claim; with `isShort` in their short form.
    package func sentences(_ claim: KeyClaim, isShort: Bool = false) -> [String] {
        texts(claim, isShort).map { localizer($0) }
    }

    private func texts(_ claim: KeyClaim, _ isShort: Bool) -> [Text] {
        switch claim.kind {
        case .opens(let token, .all): [.tokenOpensAll(number: String(token))]
        case .opens(let token, .only):
            isShort
                ? [.tokenOpensShort(journey: name)]
                : [.tokenOpens(number: String(token), journey: name), .tokenOther]
        case .used(_, let times): times < 2 ? [] : [used(times, isShort)]
        case .renewed(let times, _, let isWithoutWait): [renewed(String(times), isWithoutWait, isShort)]
        case .replaced(let time, let isWithoutGap):
            [replaced(localizer.span(time.inWholeSeconds), isWithoutGap, isShort)]
        case .missing(let time, _, let isOver): [missing(localizer.span(time.inWholeSeconds), isOver, isShort)]
        case .sourceFailed: [isShort ? .tokenSourceFailedShort : .tokenSourceFailed]
        case .driver(let vehicle, _, let times): [driver(vehicle.sanitized(limit: 40), times, isShort)]
        }
    }

    private var name: String { journey.rawValue.sanitized(limit: 40) }

    private func used(_ times: Int, _ isShort: Bool) -> Text {
        isShort ? .tokenUsedShort(number: String(times)) : .tokenUsed(number: String(times))
    }

    private func renewed(_ times: String, _ isWithoutWait: Bool, _ isShort: Bool) -> Text {
        guard isWithoutWait else { return .tokenRenewedOnly(number: times) }
        return isShort ? .tokenRenewedShort(number: times) : .tokenRenewed(number: times)
    }

    private func replaced(_ time: String, _ isWithoutGap: Bool, _ isShort: Bool) -> Text {
        if isShort { return .tokenReplacedShort(duration: time) }
        return isWithoutGap ? .tokenReplaced(duration: time) : .tokenReplacedLate(duration: time)
    }

    private func missing(_ time: String, _ isOver: Bool, _ isShort: Bool) -> Text {
        if isShort { return .tokenMissingShort(duration: time) }
        return isOver ? .tokenMissing(duration: time) : .tokenMissingNow(duration: time)
    }

    private func driver(_ vehicle: String, _ times: Int, _ isShort: Bool) -> Text {
        isShort ? .tokenDriverShort(vehicle: vehicle) : .tokenDriver(vehicle: vehicle, number: String(times))
    }
}

extension Duration {
    /// The duration without a fraction of a second, rounded up, so that it is not shorter than it was.
    fileprivate var inWholeSeconds: Duration { .seconds(seconds.rounded(.up)) }
}
