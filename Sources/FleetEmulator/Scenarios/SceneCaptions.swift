import Synchronization

/// What a scenario says to people who watch it: a sentence that is valid until the next one.
package final class SceneCaptions: Sendable {
    /// The sentences as they become valid; a reader that is late gets the last one.
    package let sentences: AsyncStream<SceneCaption>
    private let continuation: AsyncStream<SceneCaption>.Continuation
    private let observer = Mutex<(@Sendable (SceneCaption) -> Void)?>(nil)

    /// The longest sentence, in characters.
    static let longest = 200

    /// Nothing is said yet.
    package init() {
        (sentences, continuation) = AsyncStream.makeStream(of: SceneCaption.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// A caption is valid from now on.
    package func say(_ caption: SceneCaption) {
        observer.withLock { $0 }?(caption)
        continuation.yield(caption)
    }

    /// Calls a closure with each caption, in order, when it becomes valid; one closure at a time.
    package func observe(_ body: @escaping @Sendable (SceneCaption) -> Void) {
        observer.withLock { $0 = body }
    }
}
