import Synchronization

/// Passes on messages about notices until there are too many, and counts the others.
struct NoticeMessages: Sendable {
    /// The maximum number of messages of a session.
    static let limit = 20

    private var passed = 0
    /// The number of messages that were not passed on.
    private(set) var omitted = 0

    /// Returns the messages that may be shown.
    mutating func pass(_ texts: [String]) -> ArraySlice<String> {
        let shown = texts.prefix(Self.limit - passed)
        passed += shown.count
        omitted += texts.count - shown.count
        return shown
    }
}

/// Recognizes receivers that are slow: several notices wait for them for some time.
struct SlowReceivers: Sendable {
    /// The number of waiting notices, and the real time, from which on a receiver is slow.
    static let least = (count: 3, time: Duration.seconds(3))

    /// Since when several notices wait for a receiver, in real time.
    private var since: [String: Duration] = [:]
    private var slow: Set<String> = []

    /// Notes how many notices wait at a real time; returns the slow receivers, until nothing waits for them.
    mutating func update(_ backlog: [(name: String, waiting: Int)], at real: Duration) -> [NoticeBacklog] {
        let many = Set(backlog.filter { $0.waiting >= Self.least.count }.map(\.name))
        since = since.filter { many.contains($0.key) }
        for name in many {
            let begin = since[name, default: real]
            since[name] = begin
            if real - begin >= Self.least.time { slow.insert(name) }
        }
        slow.formIntersection(backlog.filter { $0.waiting > 0 }.map(\.name))
        return backlog.filter { slow.contains($0.name) }.map { NoticeBacklog(receiver: $0.name, count: $0.waiting) }
    }
}

/// Tells the loop of a session that a backlog that is shown has changed; a change that it has not read yet is not told again.
///
/// Most notices are delivered at once. They must not cost a frame of the screen each.
final class NoticeNews: Sendable {
    private let state = Mutex((isShown: false, isTold: false))
    private let tell: @Sendable () -> Void

    init(_ tell: @escaping @Sendable () -> Void) { self.tell = tell }

    /// Notes that notices were added or delivered.
    func changed() {
        let isNew = state.withLock { state in
            defer { state.isTold = state.isTold || state.isShown }
            return state.isShown && !state.isTold
        }
        if isNew { tell() }
    }

    /// Notes that the backlog was read, and whether it is shown.
    func read(isShown: Bool) { state.withLock { $0 = (isShown, false) } }
}
