package import Failures
package import FleetTokens
import Runtime
package import TripFeed
package import TripModel

/// A message for users: what happened, to what, and what to do next.
package struct UserMessage: Sendable, Equatable {
    /// A few words for a narrow panel.
    package var short: String
    /// One sanitized sentence without a full stop.
    package var what: String
    /// What to do next; `nil` if there is nothing to do.
    package var advice: String? { didSet { adviceOfLast = nil } }
    /// What to do next if nothing is retried automatically; `nil` for ``advice``.
    var adviceOfLast: String?
    /// The parties that may have to fix it, the likeliest first.
    package var suspects: [Diagnosis.Suspect] = []
    /// A sentence that names the suspects; `nil` if there is none.
    package var blame: String?
    /// The injected fault that explains it; `nil` if none does.
    package var fault: InjectedFault?

    /// The party that most likely must fix it; `nil` if there is none or it is unknown.
    package var party: Party? { suspects.first?.party }

    /// The suspects and what to do next.
    package var remedy: String? {
        let parts = [blame, advice].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joinedAsSentences()
    }

    /// The message for a program that exits because of it: the advice does not promise a retry.
    package var last: UserMessage {
        var last = self
        last.advice = adviceOfLast ?? advice
        return last
    }

    /// Returns one or two lines for standard error.
    package func lines(_ localizer: Localizer = .english) -> [String] {
        [what + localizer(.fullStop)] + (remedy.map { [$0] } ?? [])
    }

    /// Replaces the advice by a text of the catalogue without placeholders.
    mutating func setAdvice(_ key: TextKey, _ localizer: Localizer) {
        advice = Reporter.sanitized(localizer.text(key), limit: 400)
        setLast(localizer.text(key, at: Self.last))
    }

    package init(_ short: String, _ what: String, _ advice: String? = nil) {
        self.short = Reporter.sanitized(short, limit: 120)
        self.what = Reporter.sanitized(what, limit: 400)
        self.advice = advice.map { Reporter.sanitized($0, limit: 400) }
    }

    /// Creates a message from texts of the catalogue.
    package init(_ localizer: Localizer, _ short: Text, _ what: Text, _ advice: Text? = nil) {
        self.init(localizer(short), localizer(what), advice.map { localizer($0) })
        if let advice { setLast(localizer.text(advice.key, at: Self.last) { advice[$0] }) }
    }

    /// Creates a message from texts that a table names; all of them are filled with the same named values.
    init(_ localizer: Localizer, _ short: TextKey, _ what: TextKey, _ advice: TextKey?, _ values: [String: String]) {
        func text(_ key: TextKey, at place: String? = nil) -> String {
            localizer.text(key, at: place) { values[String($0)] }
        }
        self.init(text(short), text(what), advice.map { text($0) })
        if let advice { setLast(text(advice, at: Self.last)) }
    }

    /// Creates a message of texts with the key of an advice.
    init(_ short: String, _ what: String, adviceKey: TextKey, _ localizer: Localizer) {
        self.init(short, what, localizer.text(adviceKey))
        setLast(localizer.text(adviceKey, at: Self.last))
    }

    /// Creates a message about the consequence of a cause, with the advice of the cause.
    init(_ short: String, _ what: String, adviceOf cause: UserMessage) {
        self.init(short, what, cause.advice)
        adviceOfLast = cause.adviceOfLast
    }

    /// The context of advice for a program that ends: it promises no retry.
    private static let last = "last"

    /// Sets the advice for a program that ends, if it differs.
    private mutating func setLast(_ text: String) {
        let text = Reporter.sanitized(text, limit: 400)
        adviceOfLast = text == advice ? nil : text
    }

    /// Describes why a trip is no longer watched; `token` is the status that explains a failure.
    package init(
        _ end: FeedEnd,
        _ token: TokenStatus?,
        journey: JourneyID,
        host: String,
        localizer: Localizer = .english
    ) {
        let localizer = localizer.about(journey.kind)
        switch end {
        case .reached(.trip(.complete)): self.init(localizer, .connectionComplete, .endComplete)
        case .reached(.trip(.canceled)): self.init(localizer, .connectionCanceled, .endCanceled)
        case .reached(let status): self.init(localizer, .connectionEnded, .endOther(status: status.name))
        case .left: self.init(localizer, .connectionLeft, .endLeft)
        case .failed(let failure):
            let cause = UserMessage(failure, token, journey: journey, host: host, localizer: localizer)
            self.init(cause.short, localizer(.givenUp(cause: cause.what)), adviceOf: cause)
            (suspects, blame, fault) = (cause.suspects, cause.blame, cause.fault)
        }
    }

    /// Describes why a URL cannot be a Fleet Engine endpoint.
    package init(_ problem: ServiceEndpoint.Problem, localizer: Localizer = .english) {
        switch problem {
        case .notAURL(let text):
            self.init(
                localizer,
                .notAURL,
                .notAURLWhat(url: text.asShownURL),
                .notAURLAdvice(example: "\(ServiceEndpoint.google)")
            )
        case .insecure(let host): self.init(localizer, .notEncrypted, .insecureWhat(host: host), .insecureAdvice)
        }
    }

    /// Describes why a text is not a valid ID; `noun` is the kind of resource: a trip, a vehicle or a provider.
    package init(_ error: ResourceIDError, text: String, noun: Text, localizer: Localizer = .english) {
        let rule =
            switch error {
            case .empty: localizer(.idEmpty)
            case .tooLong(let characters): localizer(.idTooLong(number: String(characters)))
            case .forbidden(let character): localizer(.idForbidden(character: "\(character)"))
            case .pathSegment: localizer(.idSegment)
            }
        self.init(
            localizer,
            .noID(noun: localizer(noun)),
            .noIDWhat(id: Reporter.sanitized(text, limit: 64), noun: localizer(noun), reason: rule),
            .noIDAdvice
        )
    }
}

extension UserMessage {
    /// Quotes the cache that sent the answer, because it explains the failure; `nil` changes nothing.
    mutating func quote(_ cache: CacheEvidence?, _ localizer: Localizer) {
        guard let cache else { return }
        what += localizer(.cachedDetail(headers: Reporter.sanitized(cache.text, limit: 200)))
    }
}

extension UserMessage {
    /// Describes the result of a rule for a token.
    package init(_ finding: TokenFinding, localizer: Localizer = .english) {
        let what = localizer(finding.sentence).trimmingSuffix { ".。".contains($0) }
        self.init(what, what, finding.remedy.map { localizer($0) })
        blame(finding.diagnosis, localizer)
    }
}
