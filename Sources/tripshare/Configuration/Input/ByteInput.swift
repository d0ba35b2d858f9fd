import Dispatch
import Foundation
import SystemPackage

/// The chunks of an input stream, read on demand; iterate it once.
struct ByteInput: AsyncSequence, Sendable {
    typealias Failure = Never

    /// The maximum number of bytes per read, the size of a pipe.
    private static let pieceSize = 1 << 16

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

    /// Iterates over the chunks.
    struct Iterator: AsyncIteratorProtocol {
        fileprivate var pieces: AsyncStream<[UInt8]>.Iterator
        fileprivate let turn: DispatchSemaphore

        /// Returns the next chunk; `nil` at the end and after cancellation.
        mutating func next(isolation actor: isolated (any Actor)?) async -> [UInt8]? {
            let piece = await pieces.next(isolation: actor)
            if piece != nil { turn.signal() }
            return piece
        }
    }
}
