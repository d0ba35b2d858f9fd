import Dispatch
import Foundation
import SystemPackage

/// The lines of an input stream, read on demand; iterate it once.
///
/// Lines end with a line feed. The last line may lack it.
struct LineInput: AsyncSequence, Sendable {
    typealias Failure = Never

    /// The maximum number of bytes per read.
    private static let pieceSize = 1 << 14

    private let pieces: AsyncStream<[UInt8]>
    /// Signaled once per chunk that may be read.
    ///
    /// The reader stays at most one chunk ahead.
    private let turn: DispatchSemaphore

    /// Creates a sequence over a file, a pipe or a terminal.
    ///
    /// A read error ends the sequence.
    init(_ input: FileDescriptor) {
        self.init { count in
            var piece = [UInt8](repeating: 0, count: count)
            // A read error cannot be recovered from, so it counts as the end.
            let read = unsafe piece.withUnsafeMutableBytes { unsafe (try? input.read(into: $0)) ?? 0 }
            return Array(piece.prefix(read))
        }
    }

    /// Creates a sequence over a closure that may block.
    ///
    /// The closure gets the maximum number of bytes and returns an empty array at the end.
    init(reading read: @escaping @Sendable (Int) -> [UInt8]) {
        let (pieces, piece) = AsyncStream.makeStream(of: [UInt8].self)
        let turn = DispatchSemaphore(value: 0)
        (self.pieces, self.turn) = (pieces, turn)
        // Reading blocks, so it runs on its own thread. The thread ends with the input or with the process.
        Thread.detachNewThread {
            while true {
                turn.wait()
                let bytes = read(Self.pieceSize)
                guard !bytes.isEmpty else { return piece.finish() }
                piece.yield(bytes)
            }
        }
        turn.signal()
    }

    func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces.makeAsyncIterator(), turn: turn) }

    /// Iterates over the lines.
    struct Iterator: AsyncIteratorProtocol {
        fileprivate var pieces: AsyncStream<[UInt8]>.Iterator
        fileprivate let turn: DispatchSemaphore
        private var splitter = LineSplitter()

        fileprivate init(pieces: AsyncStream<[UInt8]>.Iterator, turn: DispatchSemaphore) {
            (self.pieces, self.turn) = (pieces, turn)
        }

        /// Returns the next line; `nil` at the end and after cancellation.
        mutating func next(isolation actor: isolated (any Actor)?) async -> String? {
            while true {
                if let line = splitter.next() { return line }
                guard let piece = await pieces.next(isolation: actor) else {
                    return Task.isCancelled ? nil : splitter.last()
                }
                splitter.take(piece)
                turn.signal()
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
    mutating func take(_ bytes: [UInt8]) { piece = bytes[...] }

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
