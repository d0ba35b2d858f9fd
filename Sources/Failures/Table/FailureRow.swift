/// What is known about all failures with one code.
package struct FailureRow: Sendable {
    /// Where it failed.
    package let stage: FailureStage
    /// The exit status of a program that ends with it.
    package let exit: ExitStatus
    /// When to try again.
    package let retry: RetryRule
    /// The party that the kind of failure itself shows; `nil` if there is nothing to fix, or if the kind shows no party.
    package let party: Party?
    /// The keys of its texts.
    package let texts: FailureTexts
    /// The name for programs, if it is not the end of the code: several codes may have one.
    package let name: String?
    /// What is different after an earlier answer of the service; `nil` if nothing is.
    package let afterAnswer: AfterAnswer?
    /// What may have made the service refuse a token; the advice is about those that no check refutes.
    package let possibleCauses: [PossibleCause]
    /// Further properties.
    package let traits: Traits
    /// What is known instead if a source of tokens was asked; `nil` if the code does not belong to a transport.
    package var ofSource: FailureRow? { rowsOfSource.first }
    // At most one: a structure can't hold itself.
    private let rowsOfSource: [FailureRow]

    /// What a failure means if the service has answered before: it contradicts earlier answers.
    package struct AfterAnswer: Sendable {
        /// The exit status.
        package let exit: ExitStatus
        /// Whether something is wrong: a trip that was deleted is no mistake.
        package private(set) var isMistake = true
        /// The key of the sentence; `nil` for the sentence of the row.
        package private(set) var what: TextKey?
        /// The key of the advice.
        package let advice: TextKey

        /// Something else answers in place of the service.
        package static let otherAnswerer = AfterAnswer(exit: .unavailable, advice: .otherAnswererAdvice)
        /// The service itself sends something else than before.
        package static let service = AfterAnswer(exit: .unavailable, advice: .asksOn)
        /// The trip that the service knew was deleted.
        package static let gone = AfterAnswer(
            exit: .notFound,
            isMistake: false,
            what: .tripGoneWhat,
            advice: .tripGoneAdvice
        )
    }

    /// Properties that some rows have.
    package struct Traits: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// A retry fails the same way without a change by the user.
        package static let isPermanent = Traits(rawValue: 1)
        /// An old answer of a cache explains it.
        package static let mayBeOld = Traits(rawValue: 2)
        /// Exit status, party, short text and advice come from its cause.
        package static let isOfCause = Traits(rawValue: 4)
        /// The failure alone proves whose it is.
        package static let provesParty = Traits(rawValue: 8)
        /// It is about the credentials of a backend: what token endpoints answer says nothing about it.
        package static let isOfCredentials = Traits(rawValue: 16)
        /// Something is wrong, and the kind of failure shows nothing about who caused it: only clues do.
        package static let showsNoParty = Traits(rawValue: 32)
    }

    init(
        _ stage: FailureStage,
        _ exit: ExitStatus,
        _ retry: RetryRule,
        _ party: Party?,
        _ texts: FailureTexts,
        _ traits: Traits = [],
        name: String? = nil,
        after: AfterAnswer? = nil,
        possible: [PossibleCause] = [],
        ofSource: FailureRow? = nil
    ) {
        (self.stage, self.exit, self.retry, self.party) = (stage, exit, retry, party)
        (self.texts, self.traits, self.name, afterAnswer) = (texts, traits, name, after)
        possibleCauses = possible
        rowsOfSource = ofSource.map { [$0] } ?? []
    }
}

/// The keys of the texts about a failure, in `Assets/Strings`.
package struct FailureTexts: Sendable {
    /// A few words.
    package let short: TextKey
    /// A sentence.
    package let what: TextKey
    /// What to do next; `nil` if there is nothing to do.
    package let advice: TextKey?
    /// The sentence if the remote side says why; `nil` for ``what``.
    package let whatIfSaid: TextKey?
    /// The sentence about a search for trips; `nil` for ``what``.
    package let listing: TextKey?
    /// What to do next after a search for trips; `nil` for ``advice``.
    package let listingAdvice: TextKey?

    init(
        _ short: TextKey,
        _ what: TextKey,
        _ advice: TextKey? = nil,
        said: TextKey? = nil,
        listing: TextKey? = nil,
        _ listingAdvice: TextKey? = nil
    ) {
        (self.short, self.what, self.advice) = (short, what, advice)
        (whatIfSaid, self.listing, self.listingAdvice) = (said, listing, listingAdvice)
    }
}

/// Where an attempt failed, in the order in which it proceeds.
package enum FailureStage: String, Sendable, CaseIterable {
    /// The URL and the name of the host.
    case address
    /// The way to the host: proxies and this machine; it is not known whether the name was looked up.
    case route
    /// The connection.
    case connection
    /// The encryption.
    case tls
    /// The answer as a whole, whatever it says.
    case answer
    /// What the service says.
    case service
    /// The source of tokens: an endpoint, a command, a file, a variable, a key.
    case source
    /// The search for the token in the answer of its source.
    case sourceAnswer
    /// The check of a token before its first use.
    case token
    /// The cache of tokens.
    case provider
}

/// When to try again after a failure.
package enum RetryRule: String, Sendable, CaseIterable {
    /// Nothing failed.
    case notNeeded
    /// Soon: the network fails often and briefly.
    case soon
    /// After a delay that doubles.
    case backOff
    /// When the token provider asks the source again, which is soon after an outage of the network.
    case withSource
    /// After a delay that doubles and is at least the delay of the token provider.
    case backOffWithSource
    /// At once with another token, and then after a delay that doubles.
    case withNewToken
    /// At once with another token, and then never.
    case withNewTokenOnce
    /// When the token provider has another token.
    case whenTokenChanges
    /// At the regular interval: the trip may be created later.
    case whenCreated
    /// Never, unless it worked before.
    case never
    /// Never, because this program itself ended the attempt.
    case ended
}
