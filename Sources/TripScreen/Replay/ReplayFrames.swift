package import Recording
import Synchronization
import TripFeed
import TripModel

/// The keyframes of a replay: what was shown after every n-th event, and where to continue.
///
/// ``ReplayReader`` makes them from the beginning on, and playing does. When they exceed ``capacity``, every second one is
/// dropped.
package final class ReplayFrames: Sendable {
    /// What was shown after a number of events.
    package struct Frame: Sendable {
        /// The place of the next event.
        package var cursor: ReplayCursor
        /// What was shown.
        package var snapshot: State.Snapshot

        /// Returns the approximate number of bytes besides those that it shares with the frame before.
        fileprivate func unsharedBytes(with before: Frame?) -> Int {
            cursor.unsharedBytes(with: before?.cursor) + snapshot.unsharedBytes(with: before?.snapshot)
        }
    }

    private struct Store {
        /// The frames by the number of events divided by the stride of the index.
        var frames: [Int: Frame]
        /// Only frames whose number is a multiple of this are stored.
        var spacing = 1
        /// The approximate number of bytes of all frames.
        var bytes = 0
        /// The number of events that were read in the background.
        var read = 0

        /// Drops every second frame; the others share less with each other than before.
        mutating func thinOut() {
            spacing *= 2
            frames = frames.filter { $0.key.isMultiple(of: spacing) }
            var before: Frame?
            bytes = 0
            for (_, frame) in frames.sorted(by: { $0.key < $1.key }) {
                bytes += frame.unsharedBytes(with: before)
                before = frame
            }
        }
    }

    /// The approximate maximum number of bytes of all frames.
    package static let capacity = 208 << 20
    /// The number of frames that are retained even if they exceed the capacity.
    private static let fewest = 8

    /// The events.
    package let index: ReplayIndex
    private let capacity: Int
    private let first: Frame
    private let store: Mutex<Store>

    /// Creates the frame of the beginning.
    package init(_ index: ReplayIndex, first: Frame, capacity: Int = ReplayFrames.capacity) {
        self.index = index
        self.first = first
        self.capacity = capacity
        store = Mutex(Store(frames: [0: first]))
    }

    /// The number of frames.
    package var count: Int { store.withLock { $0.frames.count } }

    /// The approximate number of bytes of all frames.
    package var bytes: Int { store.withLock(\.bytes) }

    /// Returns the last frame with at most this number of events.
    package func frame(until number: Int) -> Frame {
        store.withLock { store in
            var place = number / index.stride
            place -= place % store.spacing
            while place > 0 {
                if let frame = store.frames[place] { return frame }
                place -= store.spacing
            }
            return first
        }
    }

    /// Whether a frame of this number of events would be stored.
    package func needsFrame(at number: Int) -> Bool {
        guard number.isMultiple(of: index.stride) else { return false }
        let place = number / index.stride
        return store.withLock { $0.frames[place] == nil && place.isMultiple(of: $0.spacing) }
    }

    /// Stores a frame.
    package func add(_ frame: Frame) {
        let place = frame.cursor.number / index.stride
        store.withLock { store in
            guard store.frames[place] == nil, place.isMultiple(of: store.spacing) else { return }
            store.bytes += frame.unsharedBytes(with: store.frames[place - store.spacing])
            store.frames[place] = frame
            while store.bytes > capacity, store.frames.count > Self.fewest { store.thinOut() }
        }
    }

    /// The share of the events that were read in the background; `nil` after all were.
    package var progress: Double? {
        let read = store.withLock(\.read)
        return read < index.count ? Double(read) / Double(index.count) : nil
    }

    /// Records the number of events that were read ahead.
    fileprivate func note(read count: Int) { store.withLock { $0.read = count } }
}

/// Reads a recording ahead of the screen, and stores keyframes.
package struct ReplayReader: Sendable {
    private let frames: ReplayFrames
    private var state: State
    private var cursor: ReplayCursor

    /// Creates a reader at the beginning.
    ///
    /// - Parameters:
    ///   - frames: Where the frames are stored.
    ///   - state: The screen before the first event.
    package init(_ frames: ReplayFrames, _ state: State) {
        self.frames = frames
        self.state = state
        self.state.isSilent = true
        cursor = frames.frame(until: 0).cursor
    }

    /// The number of events that were read.
    package var number: Int { cursor.number }

    /// Reads up to this number of events; returns `false` at the end.
    package mutating func read(_ count: Int) -> Bool {
        for _ in 0..<count {
            guard let step = cursor.next(in: frames.index) else { break }
            _ = state.play(step)
            guard frames.needsFrame(at: cursor.number) else { continue }
            frames.add(ReplayFrames.Frame(cursor: cursor, snapshot: state.snapshot))
        }
        frames.note(read: cursor.number)
        return cursor.number < frames.index.count
    }
}
