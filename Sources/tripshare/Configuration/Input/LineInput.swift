import SystemPackage

/// The lines of an input stream, read on demand; iterate it once.
///
/// Lines end with a line feed. The last line may lack it.
struct LineInput: AsyncSequence, Sendable {
    typealias Failure = Never

    private let pieces: ByteInput

    /// Creates a sequence over a file, a pipe or a terminal.
    ///
    /// A read error ends the sequence.
    init(_ input: FileDescriptor) { pieces = ByteInput(input) }

    /// Creates a sequence over a closure that may block.
    ///
    /// The closure gets the maximum number of bytes and returns an empty array at the end.
    init(reading read: @escaping @Sendable (Int) -> [UInt8]) { pieces = ByteInput(reading: read) }

    func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces.makeAsyncIterator()) }

    /// Iterates over the lines.
    struct Iterator: AsyncIteratorProtocol {
        fileprivate var pieces: ByteInput.Iterator
        fileprivate var splitter = LineSplitter()

        /// Returns the next line; `nil` at the end and after cancellation.
        mutating func next(isolation actor: isolated (any Actor)?) async -> String? {
            while true {
                if let line = splitter.next() { return line }
                guard let piece = await pieces.next(isolation: actor) else {
                    return Task.isCancelled ? nil : splitter.last()
                }
                splitter.consume(piece)
            }
        }
    }
}

/// Splits chunks of bytes into lines, without I/O.
struct LineSplitter: Sendable {
    /// The maximum line length in bytes; the rest of a longer line is dropped.
    static let maximumLineBytes = 4096

    private var piece: ArraySlice<UInt8> = []
    /// The start of a line whose line feed has not been read yet.
    private var begun: [UInt8] = []

    /// Accepts the next chunk; call it only after ``next()`` returned `nil`.
    mutating func consume(_ bytes: [UInt8]) { piece = bytes[...] }

    /// Returns the next complete line.
    mutating func next() -> String? {
        guard let end = piece.firstIndex(of: UInt8(ascii: "\n")) else {
            add(piece)
            piece = []
            return nil
        }
        add(piece[..<end])
        piece = piece[(end + 1)...]
        return last() ?? ""
    }

    /// Returns the last line if it lacks a line feed; `nil` if it is empty.
    mutating func last() -> String? {
        guard !begun.isEmpty else { return nil }
        defer { begun = [] }
        return String(decoding: begun, as: UTF8.self)
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        begun += bytes.prefix(Self.maximumLineBytes - begun.count)
    }
}
