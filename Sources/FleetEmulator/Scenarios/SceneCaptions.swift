import Synchronization

/// The captions of a scenario; each is valid until the next one.
package final class SceneCaptions: Sendable {
    /// The sentences as they become valid; a reader that is late gets the last one.
    package let sentences: AsyncStream<SceneCaption>
    private let continuation: AsyncStream<SceneCaption>.Continuation
    private let observer = Mutex<(@Sendable (SceneCaption) -> Void)?>(nil)

    /// The maximum length of a caption in characters.
    static let longest = 200

    /// Creates captions without a current one.
    package init() {
        (sentences, continuation) = AsyncStream.makeStream(of: SceneCaption.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Shows a caption from now on.
    package func show(_ caption: SceneCaption) {
        observer.withLock { $0 }?(caption)
        continuation.yield(caption)
    }

    /// Calls a closure with each caption, in order; only one closure can be registered.
    package func observe(_ body: @escaping @Sendable (SceneCaption) -> Void) {
        observer.withLock { $0 = body }
    }
}
