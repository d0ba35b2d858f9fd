import AsyncAlgorithms
import Failures
import Foundation
import Recording
import Runtime
import Synchronization
import SystemPackage
import TripFeed
import TripModel
import TripText

/// Reads a log while it is written and passes its entries on.
///
/// The reader waits until the session has shown what it has read, so that a flood of entries fills the pipe, not the memory.
final class LogSource: Sendable {
    struct State {
        var log: LiveLog
        /// Whether the first invalid line was reported.
        var hasReportedLine = false
        var hasStarted = false
        var hasEnded = false
    }

    /// A log is followed live if its entries are at most this many seconds old; for an older log, the time is the time of its
    /// newest entry.
    static let liveAge = 600.0

    /// The parts of the log, in order.
    let parts = AsyncChannel<SessionSource.Part>()
    /// The trips to follow; empty for all.
    let trips: [JourneyID]
    let path: String
    /// The content of a packed file; `nil` for other logs.
    let unpacked: [UInt8]?
    /// Whether it is a regular file that grows, which has no end.
    private let follows: Bool
    /// Whether it is a file that does not grow, which is read without waiting.
    let isReadAtOnce: Bool
    /// Whether the entries that exist at the beginning are ordered by time, as for a regular file.
    private let orders: Bool
    let state: Mutex<State>

    /// Creates a source for a file, a named pipe, or `-` for standard input.
    ///
    /// If `follows`, the end of a regular file is not the end of the log: what is appended later is read, too. A regular file
    /// of at most 64 MiB is read in order of time, a stream in the order of arrival. Throws a ``CommandFailure`` for a file that
    /// cannot be read.
    init(
        path: String,
        trips: [JourneyID],
        provider: ProviderID?,
        limits: FindingLimits,
        follows: Bool
    ) throws(CommandFailure) {
        self.path = path
        self.trips = trips
        state = Mutex(State(log: LiveLog(trips: trips, provider: provider, limits: limits)))
        // A folder has another type, and a missing file has no type.
        let type = (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
        let isFile = type.map { $0 != .typeDirectory } ?? false
        // A link to a file is followed, too. A file that has gone since has no type.
        let status = path == "-" ? nil : try? FilePath(path).stat()
        let isRegular = status?.type == .regular
        unpacked = isRegular ? try Self.unpacked(path) : nil
        self.follows = follows && isRegular && unpacked == nil
        isReadAtOnce = isRegular && !self.follows
        orders = isRegular && status.map { $0.size <= RecordedTrips.maximumBytes } ?? false
        guard path == "-" || isFile && FileManager.default.isReadableFile(atPath: path) else {
            throw CommandFailure(.notFound, .failureLogUnreadable(file: excerpt(path: path)))
        }
    }

    /// Returns the content of a packed file; `nil` for other files, which are read piece by piece.
    static func unpacked(_ path: String) throws(CommandFailure) -> [UInt8]? {
        // What cannot be opened is reported later.
        guard let file = try? FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec) else { return nil }
        var start = [UInt8](repeating: 0, count: PackedFile.beginning)
        let count = try? file.closeAfter {
            try unsafe start.withUnsafeMutableBytes { unsafe try file.read(into: $0) }
        }
        guard PackedFile.isOne(start.prefix(count ?? 0)) else { return nil }
        let advice = Text.adviceRecording
        let data = try InputFile.data(path, limit: RecordedTrips.maximumBytes, what: .nounRecording, advice: advice)
        do throws(RecordingError) {
            return try PackedFile.unpacked([UInt8](data), limit: RecordedTrips.maximumBytes)
        } catch {
            throw CommandFailure(.badInput) {
                $0(.failureRecording(file: excerpt(path: path), reason: error.sentence($0, advice: advice)))
            }
        }
    }

    /// Whether the whole log was read.
    var hasEnded: Bool { state.withLock(\.hasEnded) }

    /// Whether the log has had an entry of Fleet Engine.
    var hasEntries: Bool { state.withLock { $0.log.entries > 0 } }

    /// Returns the last values of each side of a trip.
    func sides(of journey: JourneyID) -> TripSides? { state.withLock { $0.log.sides(of: journey) } }

    /// Returns the last state of a trip or a shipment.
    func state(of journey: JourneyID) -> TripState? { state.withLock { $0.log.state(of: journey) } }

    /// The trips without events, because only refused calls are known.
    var refusedTrips: [JourneyID] { state.withLock { $0.log.refusedTrips } }

    /// Reads the log to its end, or until the task is cancelled; sets the clock to the time of an old log.
    func read(_ clock: ScaledClock) async {
        if follows { return await follow(clock) }
        var isCollecting = orders
        for await bytes in input { await read(bytes, clock, &isCollecting) }
        guard !Task.isCancelled else { return }
        await read(nil, clock, &isCollecting)
        state.withLock { $0.hasEnded = true }
        await parts.send(.end)
    }

    /// Reads a file, and what is appended to it, until the task is cancelled.
    func follow(_ clock: ScaledClock) async {
        // What is appended after this counts as a change.
        var changes = FileWatch.growth(of: path).makeAsyncIterator()
        var file = GrowingFile(path)
        defer { file.close() }
        var isCollecting = orders
        repeat {
            while !Task.isCancelled {
                let bytes = file.next(Self.pieceSize)
                if bytes.isEmpty { break }
                await read(bytes, clock, &isCollecting)
            }
            if isCollecting { await handleCollected(clock) }
            isCollecting = false
        } while await changes.next() != nil
    }

    private static let pieceSize = 1 << 16

    /// Collects or takes the next bytes of the log; `nil` for its end, after which everything was taken.
    func read(_ bytes: [UInt8]?, _ clock: ScaledClock, _ isCollecting: inout Bool) async {
        guard isCollecting else { return await handle(bytes, clock) }
        isCollecting = state.withLock { $0.log.collect(bytes) } && bytes != nil
        if !isCollecting { await handleCollected(clock) }
    }

    /// The number of ordered entries that are passed on at once.
    static let groupSize = 200

    // MARK: Messages
}
