/// Random access to the bytes of a recording, which may be larger than the memory.
package struct RecordingBytes: Sendable {
    /// The number of bytes.
    package let count: Int
    private let load: @Sendable (Range<Int>) -> [UInt8]

    /// Uses bytes in memory.
    package init(_ bytes: [UInt8]) {
        self.init(count: bytes.count) { Array(bytes[$0]) }
    }

    /// Uses bytes that a closure reads, such as the bytes of a file.
    ///
    /// The closure gets a range within `count` and returns fewer bytes only after an error. It may be called on any thread.
    package init(count: Int, read: @escaping @Sendable (Range<Int>) -> [UInt8]) {
        self.count = count
        load = read
    }

    /// Returns the bytes of a range, as far as there are some.
    package func bytes(_ range: Range<Int>) -> [UInt8] {
        let range = range.clamped(to: 0..<count)
        return range.isEmpty ? [] : load(range)
    }
}
