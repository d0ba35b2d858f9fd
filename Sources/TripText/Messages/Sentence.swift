import FleetTokens
import Sanitizing
package import TripFeed
package import TripModel

/// Something that happened, in words for people: what happened, to what, and what to do next.
package struct Sentence: Sendable, Equatable {
    /// A few words for a narrow panel.
    package var short: String
    /// One sentence without a full stop; harmless already.
    package var what: String
    /// What to do next; `nil` where there is nothing to do.
    package var advice: String? { didSet { adviceOfLast = nil } }
    /// What to do next where nothing is tried again by itself; `nil` where ``advice`` says that.
    private var adviceOfLast: String?
    /// Who has to change something; `nil` if there is no one or it is unknown.
    package private(set) var party: Party?
    /// The party in words, as a sentence.
    package private(set) var blame: String?

    /// Who is at fault and what to do next.
    package var remedy: String? {
        let parts = [blame, advice].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    /// The sentence of a program that ends with it, so that its advice does not promise another try.
    package var last: Sentence {
        var last = self
        last.advice = adviceOfLast ?? advice
        return last
    }

    /// One to two lines for standard error.
    package func lines(_ say: Wording = .english) -> [String] { [what + say(.fullStop)] + (remedy.map { [$0] } ?? []) }

    /// Names who is at fault, unless nobody is.
    package mutating func blame(_ party: Party?, _ say: Wording) {
        self.party = party
        blame = party.map { say(.atFault, say($0.phrase)) }
    }

    package init(_ short: String, _ what: String, _ advice: String? = nil) {
        self.short = Reporter.harmless(short, limit: 120)
        self.what = Reporter.harmless(what, limit: 400)
        self.advice = advice.map { Reporter.harmless($0, limit: 400) }
    }

    /// A sentence of the catalogue, all parts of which are filled with the same values.
    package init(
        _ say: Wording,
        _ short: StringKey,
        _ what: StringKey,
        _ advice: StringKey? = nil,
        _ values: String...
    ) {
        self.init(say(short, filling: values), say(what, filling: values), advice.map { say($0, filling: values) })
        adviceOfLast = advice.flatMap(Self.adviceOfLast).map { say($0, filling: values) }
    }

    /// A sentence that is about a larger thing than its cause, with the advice of that.
    init(_ short: String, _ what: String, adviceOf cause: Sentence) {
        self.init(short, what, cause.advice)
        adviceOfLast = cause.adviceOfLast
    }

    /// The advice in place of one that promises another try; `nil` for those that do not.
    private static func adviceOfLast(_ advice: StringKey) -> StringKey? {
        switch advice {
        case .asksOn, .retriedAlone: .tryAgain
        case .unreadableAdvice: .unreadableAdviceFinal
        case .refusedAdvice: .refusedAdviceFinal
        case .unknownHostAdvice: .unknownHostAdviceFinal
        case .timedOutAdvice: .timedOutAdviceFinal
        case .notReachableAdvice: .notReachableAdviceFinal
        case .statusServer: .statusServerFinal
        case .statusQuota: .statusQuotaFinal
        default: nil
        }
    }

    /// Why a trip is followed no more.
    package init(_ end: FeedEnd, trip: TripID, host: String, say: Wording = .english) {
        switch end {
        case .reached(.complete): self.init(say, .connectionComplete, .endComplete)
        case .reached(.canceled): self.init(say, .connectionCanceled, .endCanceled)
        case .reached(let status): self.init(say, .connectionEnded, .endOther, nil, status.name)
        case .left: self.init(say, .connectionLeft, .endLeft)
        case .failed(let failure):
            let cause = Sentence(failure, trip: trip, host: host, say: say)
            self.init(cause.short, say(.givenUp, cause.what), adviceOf: cause)
            blame(cause.party, say)
        }
    }

    /// Why a URL can't be a Fleet Engine.
    package init(_ problem: ServiceEndpoint.Problem, say: Wording = .english) {
        switch problem {
        case .notAURL(let text):
            self.init(say, .notAURL, .notAURLWhat, .notAURLAdvice, text.asShownURL, "\(ServiceEndpoint.google)")
        case .insecure(let host): self.init(say, .notEncrypted, .insecureWhat, .insecureAdvice, host)
        }
    }

    /// Why a text can't be the ID of a trip, a vehicle or a provider, as `noun` says.
    package init(_ error: ResourceIDError, text: String, noun: String, say: Wording = .english) {
        let name =
            switch noun {
            case "trip": say(.nounTrip)
            case "vehicle": say(.nounVehicle)
            case "provider": say(.nounProvider)
            default: noun
            }
        let rule =
            switch error {
            case .empty: say(.idEmpty)
            case .tooLong(let characters): say(.idTooLong, String(characters))
            case .forbidden(let character): say(.idForbidden, "\(character)")
            case .pathSegment: say(.idSegment)
            }
        self.init(say, .noID, .noIDWhat, .noIDAdvice, name, Reporter.harmless(text, limit: 64), rule)
    }
}
