import Dispatch
import Foundation
import SystemPackage

/// The lines of an input that comes as it comes, read no faster than they are taken; to be gone through once.
///
/// Lines end with a line feed, the last one also without.
struct LineInput: AsyncSequence, Sendable {
    typealias Failure = Never

    /// The most that is read at once, in bytes.
    private static let pieceSize = 1 << 14

    private let pieces: AsyncStream<[UInt8]>
    /// Let through once for each piece that may be read: one more than was taken.
    private let turn: DispatchSemaphore

    /// The lines of a file, a pipe or a terminal; an input that can't be read has ended.
    init(_ input: FileDescriptor) {
        self.init { count in
            var piece = [UInt8](repeating: 0, count: count)
            // There is nobody to ask for another input.
            let read = unsafe piece.withUnsafeMutableBytes { unsafe (try? input.read(into: $0)) ?? 0 }
            return Array(piece.prefix(read))
        }
    }

    /// The lines of what a closure reads, which may block: at most so many bytes each time, none at the end.
    init(reading read: @escaping @Sendable (Int) -> [UInt8]) {
        let (pieces, piece) = AsyncStream.makeStream(of: [UInt8].self)
        let turn = DispatchSemaphore(value: 0)
        (self.pieces, self.turn) = (pieces, turn)
        // A thread of its own, as reading blocks; it ends with the input, or with the process.
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

    /// Takes one line after the other.
    struct Iterator: AsyncIteratorProtocol {
        fileprivate var pieces: AsyncStream<[UInt8]>.Iterator
        fileprivate let turn: DispatchSemaphore
        private var splitter = LineSplitter()

        fileprivate init(pieces: AsyncStream<[UInt8]>.Iterator, turn: DispatchSemaphore) {
            (self.pieces, self.turn) = (pieces, turn)
        }

        /// The next line; `nil` at the end, and when the task is cancelled.
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

/// Cuts bytes that come in pieces into lines; pure.
struct LineSplitter: Sendable {
    /// What a line holds beyond these bytes is left out.
    static let longestLine = 4096

    private var piece: ArraySlice<UInt8> = []
    /// The beginning of a line whose end has not come.
    private var begun: [UInt8] = []

    /// Takes the next piece, once ``next()`` has nothing more.
    mutating func take(_ bytes: [UInt8]) { piece = bytes[...] }

    /// The next whole line.
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

    /// What is there of a line without an end; `nil` for nothing.
    mutating func last() -> String? {
        guard !begun.isEmpty else { return nil }
        defer { begun = [] }
        return String(decoding: begun, as: UTF8.self)
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        begun += bytes.prefix(Self.longestLine - begun.count)
    }
}
