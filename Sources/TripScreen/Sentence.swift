import Canvas
import FleetTokens
package import TripFeed
package import TripModel

/// Something that happened, in words for people: what happened, to what, and what to do next.
package struct Sentence: Sendable, Equatable {
    /// A few words for a narrow panel.
    package var short: String
    /// One sentence without a full stop; harmless already.
    package var what: String
    /// What to do next; `nil` where there is nothing to do.
    package var advice: String?

    /// One to two lines for standard error.
    package var lines: [String] { [what + "."] + (advice.map { [$0] } ?? []) }

    init(_ short: String, _ what: String, _ advice: String? = nil) {
        self.short = Reporter.harmless(short, limit: 120)
        self.what = Reporter.harmless(what, limit: 400)
        self.advice = advice.map { Reporter.harmless($0, limit: 400) }
    }

    /// Why a trip is followed no more.
    package init(_ end: FeedEnd, trip: TripID, host: String, say: Wording = .english) {
        switch end {
        case .reached(.complete): self.init("complete", "The trip is complete; nobody asks any more")
        case .reached(.canceled): self.init("canceled", "The trip was canceled; nobody asks any more")
        case .reached(let status): self.init("ended", "The trip has ended as \(status.name); nobody asks any more")
        case .left: self.init("left", "The trip is followed no more, as you asked")
        case .failed(let failure):
            let cause = Sentence(failure, trip: trip, host: host, say: say)
            self.init(cause.short, "Given up: \(cause.what)", cause.advice)
        }
    }

    /// Why a URL can't be a Fleet Engine.
    package init(_ problem: ServiceEndpoint.Problem, say: Wording = .english) {
        switch problem {
        case .notAURL(let text):
            self.init(
                "not a URL",
                "‘\(text)’ is no URL of a Fleet Engine",
                "Give a scheme and a host, such as \(ServiceEndpoint.google), and nothing behind it."
            )
        case .insecure(let host):
            self.init(
                "not encrypted",
                "Plain http to \(host) would send the token in clear",
                "Use https, or --allow-plain-http if you know that nobody listens in."
            )
        }
    }

    /// Why a text can't be the ID of a trip, a vehicle or a provider, as `noun` says.
    package init(_ error: ResourceIDError, text: String, noun: String, say: Wording = .english) {
        let shown = Reporter.harmless(text, limit: 64)
        let rule =
            switch error {
            case .empty: "it is empty"
            case .tooLong(let characters): "it has \(characters) characters, and 64 is the most"
            case .forbidden(let character): "it holds ‘\(character)’, and / : ? , # are not allowed"
            case .pathSegment: "it would be a step in the path of a URL"
            }
        self.init(
            "no \(noun) ID",
            "‘\(shown)’ can't be the ID of a \(noun): \(rule)",
            "Give the bare ID, without any path."
        )
    }
}
