/// What a scenario says to people who watch it: a sentence that is valid until the next one.
package final class SceneCaptions: Sendable {
    /// The sentences as they become valid; whoever reads late gets the last one.
    package let sentences: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    /// The longest sentence, in characters.
    static let longest = 200

    /// Nothing is said yet.
    package init() {
        (sentences, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// A sentence is valid from now on.
    package func say(_ sentence: String) {
        continuation.yield(sentence)
    }
}
