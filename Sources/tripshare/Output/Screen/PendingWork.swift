import AsyncAlgorithms
import Failures
import Runtime
import TripScreen
import TripText

/// What the user asked for and tasks of a screen still do, such as writing a file; awaited before the program ends.
struct PendingWork: Sendable {
    /// A result: the number of the work and what to say about it.
    struct Completion: Sendable {
        fileprivate let number: Int
        /// The message for the screen; `nil` if there is nothing to say.
        let message: Message?
    }

    /// How long the end of a session waits for it, in real time.
    static let timeout = Duration.seconds(2)

    /// The names of what is not complete, such as files, by number.
    private var names: [Int: String] = [:]
    private var count = 0
    /// The results in order of completion; `nil` after the timeout.
    private let results: AsyncStream<Completion?>
    private let sink: AsyncStream<Completion?>.Continuation

    init() { (results, sink) = AsyncStream.makeStream(of: Completion?.self) }

    /// Does a piece of work in another task, which ``finish(within:)`` waits for.
    ///
    /// - Parameters:
    ///   - name: What the user asked for, such as a file.
    ///   - work: Does it, and returns what to say about it.
    ///   - report: Called with the result, for ``complete(_:)``.
    mutating func add(
        _ name: String,
        _ work: @escaping @Sendable () async -> Message?,
        report: @escaping @Sendable (Completion) async -> Void
    ) {
        count += 1
        names[count] = name
        Task.detached { [number = count, sink] in
            let completion = Completion(number: number, message: await work())
            sink.yield(completion)
            await report(completion)
        }
    }

    /// Records that the result of a piece of work was shown.
    mutating func complete(_ completion: Completion) { names[completion.number] = nil }

    /// Waits for what is not complete, and prints what was saved.
    ///
    /// - Returns: The failure of the command if something was not done; `nil` otherwise.
    consuming func finish(within timeout: Duration = Self.timeout) async -> CommandFailure? {
        guard !names.isEmpty else { return nil }
        // Cancelled below.
        let timer = Task { [sink] in
            // An error means that all work was done first.
            guard (try? await Task.sleep(for: timeout)) != nil else { return }
            sink.yield(nil)
        }
        defer { timer.cancel() }
        var problems: [@Sendable (Localizer) -> String] = []
        for await completion in results {
            guard let completion else { break }
            // The result of other work was shown on the screen.
            guard names.removeValue(forKey: completion.number) != nil else { continue }
            switch completion.message {
            case .saved(let path): Printing.error(Localizer.ofProcess(.pictureSaved(file: excerpt(path))))
            case .complaint(let text): problems.append { _ in text }
            default: break
            }
            if names.isEmpty { break }
        }
        let seconds = "\(timeout.components.seconds)"
        for (_, name) in names.sorted(by: { $0.key < $1.key }) {
            problems.append { $0(.failureUnfinished(name: excerpt(name), seconds: seconds)) }
        }
        guard !problems.isEmpty else { return nil }
        return CommandFailure(.outputFailed) { [problems] localizer in
            problems.map { $0(localizer) }.joined(separator: "\n")
        }
    }
}

/// A session with an outcome, after which something that the user asked for was not done.
struct UnfinishedWork: Error {
    let outcome: CompletionTracker.Outcome
    let failure: CommandFailure
}

/// Loads tiles outside the drawing path.
enum TileLoading {
    /// The number of tiles per message: the picture appears in a few steps, and each step costs a frame.
    private static let batch = 4

    /// Loads tiles and sends them in batches; ends early when its task is cancelled.
    ///
    /// A tile that cannot be read is sent as an empty one, so that it is not requested again, and the first one is reported.
    static func load(
        _ ids: [TileID],
        of archive: any TileArchive,
        to inputs: AsyncChannel<ScreenOutput.Input>
    ) async {
        var complaint: String?
        for start in stride(from: 0, to: ids.count, by: batch) {
            guard !Task.isCancelled else { return }
            var tiles: [TileID: MapTile] = [:]
            for id in ids[start..<min(start + batch, ids.count)] {
                do {
                    tiles[id] = try archive.tile(id)
                } catch {
                    tiles[id] = MapTile()
                    complaint = complaint ?? Localizer.ofProcess(BasemapFile.reason(error))
                }
            }
            await inputs.send(.message(.tiles(tiles, of: archive)))
        }
        if let complaint { await inputs.send(.message(.complaint(complaint))) }
    }
}
