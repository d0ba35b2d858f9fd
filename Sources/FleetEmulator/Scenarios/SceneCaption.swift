import Synchronization
package import TripModel

/// A caption for viewers, with the conditions that must hold for it to be true.
package struct SceneCaption: Sendable, Equatable {
    /// The sentence, in English where the scenario has it in several languages.
    package var text: String
    /// The sentence by language, such as `zh-Hans`; empty where the scenario has it in one language only.
    ///
    /// The translations of the built-in scenarios are not here, but in `Assets/Strings`.
    package var translations: [String: String]
    /// What must be visible while it is shown; `nil` for nothing in particular.
    package var expectation: TripExpectation?
    /// What its scenario says about its end besides its expectation; `nil` for nothing.
    package var stated: Validity?

    /// The time until the conditions of a caption must hold, in seconds, unless its scenario says otherwise.
    static let limit = 15.0
    /// The time for which a caption is shown that nothing visible ends, in seconds, unless its scenario says otherwise.
    package static let duration = 60.0

    /// A sentence with what belongs to it.
    package init(
        _ text: String,
        translations: [String: String] = [:],
        expectation: TripExpectation? = nil,
        stated: Validity? = nil
    ) {
        (self.text, self.translations, self.expectation, self.stated) = (text, translations, expectation, stated)
    }
}

extension SceneCaption {
    /// When a caption is true; it is over when one of these is not so any more.
    package struct Validity: Sendable, Equatable {
        /// What must be seen; empty for nothing.
        package var conditions = ExpectedConditions()
        /// The kind of the fault that the last poll must have; `nil` for none.
        package var fault: String?
        /// The time since its beginning in seconds; `nil` for any.
        package var seconds: Double?

        /// Creates the validity of a caption that is always true.
        package init() {}

        /// Whether something ends it.
        fileprivate var hasEnd: Bool { conditions != ExpectedConditions() || fault != nil || seconds != nil }
    }

    /// When it is true.
    ///
    /// The statuses, the other riders, the delay and the failures of its expectation must be seen; its other conditions come
    /// true in the course of it. Without any of them and without a stated end, it is over after ``duration``.
    package var validity: Validity {
        var validity = stated ?? Validity()
        if validity.conditions == ExpectedConditions() { validity.conditions = visibleConditions }
        if !validity.hasEnd { validity.seconds = Self.duration }
        return validity
    }

    private var visibleConditions: ExpectedConditions {
        guard case .must(let wanted, _)? = expectation?.kind else { return ExpectedConditions() }
        var conditions = ExpectedConditions()
        // The end of the ride has words of its own; a caption about the way to it is over then.
        let onTheWay = wanted.statuses.filter { !$0.isTerminal }
        conditions.statuses = onTheWay.isEmpty ? wanted.statuses : onTheWay
        conditions.checks = wanted.checks.filter { ["others-ahead", "overdue"].contains($0.measure) }
        if wanted.isFailing == true { conditions.isFailing = true }
        if conditions != ExpectedConditions() { conditions.journey = wanted.journey }
        return conditions
    }
}

/// The captions of a scenario in the order in which they begin.
package final class SceneCaptions: Sendable {
    /// The sentences as they begin; a reader that is late gets the last one.
    package let sentences: AsyncStream<SceneCaption>
    private let continuation: AsyncStream<SceneCaption>.Continuation
    private let observer = Mutex<(@Sendable (SceneCaption) -> Void)?>(nil)

    /// The maximum length of a caption in characters.
    static let longest = 200

    /// Creates captions without a current one.
    package init() {
        (sentences, continuation) = AsyncStream.makeStream(of: SceneCaption.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Begins a caption.
    package func show(_ caption: SceneCaption) {
        observer.withLock { $0 }?(caption)
        continuation.yield(caption)
    }

    /// Calls a closure with each caption, in order; only one closure can be registered.
    package func observe(_ body: @escaping @Sendable (SceneCaption) -> Void) {
        observer.withLock { $0 = body }
    }
}
