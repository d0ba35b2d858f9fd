import Foundation
import Runtime
import Synchronization

@testable import tripshare

/// The receivers, the file and the life of the process in a generated run; it knows what happened, whatever the sender believes.
final class NoticeWorld {
    /// Something that a receiver or the process did, in order.
    enum Step: Equatable {
        /// A delivery began.
        case sent(receiver: String, event: String)
        /// A receiver has processed a notice for the first time or again.
        case received(receiver: String, event: String, id: String)
        /// The process has learned that it was delivered, and has removed it from the file.
        case removed(receiver: String, event: String)
        /// A sentence about a notice was written.
        case reported(receiver: String, event: String, at: Date)
        /// A receiver answered that it does not want a notice.
        case refused(receiver: String, event: String)
    }

    /// How a receiver behaves for some time.
    enum Mode: CaseIterable {
        case up, down, slow, busy, limited, error, refusing, losesAnswers
    }

    /// The life of one process: it ends after a number of steps.
    final class Life {
        private(set) var steps: Int
        private(set) var isOver = false
        private(set) var used = 0

        init(steps: Int) { self.steps = steps }

        /// A moment at which the process may end; returns whether it lives on.
        func passes() -> Bool {
            guard !isOver else { return false }
            used += 1
            steps -= 1
            if steps <= 0 { isOver = true }
            return !isOver
        }
    }

    let receivers = ["receiver-a", "receiver-b"]
    var random: SeededGenerator
    var now = Date(timeIntervalSince1970: 1_767_225_600)
    private(set) var steps: [Step] = []
    /// The events that were stored or could not be stored, in order, with their journeys and times.
    var noticed: [(event: String, journey: String, at: Date)] = []
    /// The events that the file had no room for.
    var unstored: Set<String> = []
    var isCalm = false
    private var modes: [String: (mode: Mode, until: Date)] = [:]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    func add(_ step: Step) { steps.append(step) }

    /// What a receiver does with a delivery that begins now: how long it takes, whether it processes it, and what it answers.
    func answer(of receiver: String) -> (delay: Double, isProcessed: Bool, result: DeliveryResult) {
        switch mode(of: receiver) {
        case .up: (Double.random(in: 0.01...0.2, using: &random), true, .delivered)
        case .slow: (Double.random(in: 3...20, using: &random), true, .delivered)
        case .down: (0.01, false, .failed("no connection"))
        case .busy:
            (0.05, false, .failed("HTTP 503", retryAfter: .seconds(Int.random(in: 1...40, using: &random))))
        case .limited: (0.05, false, .failed("HTTP 429"))
        case .error: (0.05, Bool.random(using: &random), .failed("HTTP 500"))
        case .refusing: (0.05, false, .refused("HTTP 400"))
        case .losesAnswers: (30, true, .failed("no answer"))
        }
    }

    private func mode(of receiver: String) -> Mode {
        guard !isCalm else { return .up }
        if let current = modes[receiver], now < current.until { return current.mode }
        let mode = Mode.allCases.randomElement(using: &random) ?? .up
        modes[receiver] = (mode, now + Double.random(in: 1...40, using: &random))
        return mode
    }
}

/// A store in memory that outlives a process, and that a process can use only as long as it lives.
///
/// The process may end before and after each change.
final class MortalNoticeStore: NoticeStore, @unchecked Sendable {
    let path = "memory"
    let isPersistent = true
    let session: String
    /// Whether it has no room for new notices.
    var isFull = false
    private let store: MemoryNoticeStore
    private let world: NoticeWorld
    private let life: NoticeWorld.Life
    /// The events by ID, also those of earlier processes.
    private var events: [NoticeID: String] = [:]

    init(_ contents: MemoryNoticeStore.Contents, session: String, _ world: NoticeWorld, _ life: NoticeWorld.Life) {
        store = MemoryNoticeStore(session: session, contents: contents, isPersistent: true)
        (self.session, self.world, self.life) = (session, world, life)
    }

    func end() { store.end() }

    private func change<Result>(
        _ body: () throws(NoticeStoreError) -> Result
    ) throws(NoticeStoreError) -> Result {
        guard life.passes() else { throw .disk("the process has ended") }
        let result = try body()
        guard life.passes() else { throw .disk("the process has ended") }
        return result
    }

    func register(_ receiver: String, shownName: String) throws(NoticeStoreError) {
        try change { () throws(NoticeStoreError) in try store.register(receiver, shownName: shownName) }
    }

    func add(_ notice: StoredNotice, for receivers: [String]) throws(NoticeStoreError) {
        try change { () throws(NoticeStoreError) in
            world.noticed.append((notice.event, notice.journey, world.now))
            guard !isFull else {
                world.unstored.insert(notice.event)
                throw .full
            }
            events[notice.id] = notice.event
            try store.add(notice, for: receivers)
        }
    }

    func adopt(for receivers: [String]) throws(NoticeStoreError) -> [String: [StoredNotice]] {
        let adopted = try change { () throws(NoticeStoreError) in try store.adopt(for: receivers) }
        for notice in adopted.values.joined() { events[notice.id] = notice.event }
        return adopted
    }

    func finish(_ id: NoticeID, for receiver: String) throws(NoticeStoreError) {
        try change { () throws(NoticeStoreError) in
            try store.finish(id, for: receiver)
            if let event = events[id] { world.add(.removed(receiver: receiver, event: event)) }
        }
    }

    func postpone(_ id: NoticeID, for receiver: String, attempts: Int, due: Date) throws(NoticeStoreError) {
        try change { () throws(NoticeStoreError) in
            try store.postpone(id, for: receiver, attempts: attempts, due: due)
        }
    }

    func conclude(_ id: NoticeID, for receiver: String, reason: String) throws(NoticeStoreError) {
        try change { () throws(NoticeStoreError) in try store.conclude(id, for: receiver, reason: reason) }
    }

    func waiting() throws(NoticeStoreError) -> [WaitingNotice] { try store.waiting() }

    func discard(_ filter: (WaitingNotice) -> Bool) throws(NoticeStoreError) -> Int { try store.discard(filter) }
}
