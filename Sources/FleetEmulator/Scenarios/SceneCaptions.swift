import Synchronization

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
