import DequeModule

/// The latest bytes from the terminal, so that those whose events were not handled can be given to another program.
struct InputLog: Sendable {
    private struct Chunk: Sendable {
        var bytes: [UInt8]
        /// The number of all events before this chunk and with it.
        var begin: Int
        var end: Int
    }

    /// The maximum number of stored bytes.
    static let maximumBytes = 16 << 10
    /// The maximum length of a chunk whose events are counted one by one.
    static let longestCounted = 1024

    private var chunks: Deque<Chunk> = []
    private var size = 0
    private var count = 0

    /// Adds bytes and the number of events that they completed; the oldest bytes are dropped if there are too many.
    mutating func add(_ bytes: [UInt8], events: Int) {
        chunks.append(Chunk(bytes: bytes, begin: count, end: count + events))
        count += events
        size += bytes.count
        while size > Self.maximumBytes || chunks.count > Self.longestCounted, let first = chunks.first {
            size -= first.bytes.count
            chunks.removeFirst()
        }
    }

    /// Returns the bytes of the events after the first ones.
    ///
    /// - Parameters:
    ///   - handled: The number of events that were handled.
    ///   - decoder: A decoder without input; it finds the end of the last handled event in a chunk with further ones.
    /// - Returns: The bytes, in order.
    func bytes(after handled: Int, _ decoder: InputDecoder) -> [UInt8] {
        chunks.reduce(into: []) { rest, chunk in
            if chunk.begin >= handled {
                rest += chunk.bytes
            } else if chunk.end > handled, chunk.bytes.count <= Self.longestCounted {
                let length = chunk.bytes.indices.first { index in
                    var decoder = decoder
                    return decoder.feed(Array(chunk.bytes[...index])).count >= handled - chunk.begin
                }
                rest += chunk.bytes.dropFirst((length ?? chunk.bytes.count - 1) + 1)
            }
        }
    }
}
