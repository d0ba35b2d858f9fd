import Foundation
import Runtime
import TripText

/// The notices of one receiver: stores what follows from each result, counts it, and reports what is not delivered.
///
/// It does not wait, and sends nothing itself: ``NoticeSender`` does both.
///
/// | result | order of the steps |
/// |---|---|
/// | delivered | removed from the store |
/// | refused, expired | the reason is stored; reported; removed when the report is taken |
/// | failed | the next attempt is stored |
///
/// A process that ends between two steps therefore loses nothing: the next session sends again what may have been delivered, and
/// reports again what may have been reported. While another process holds the lock of the store, changes wait in memory.
struct NoticeOutbox: Sendable {
    /// What is changed in the store after a result.
    private enum Change {
        case finish
        case postpone(attempts: Int, due: Date)
        case conclude(String)
    }

    /// The receiver's key in the store.
    let key: String
    /// The name of the receiver in messages.
    let name: String
    /// What became of the notices.
    private(set) var counts = NoticeSummary()
    private let store: any NoticeStore
    private let reports: NoticeReports
    private let limit: Duration
    private var queue: NoticeQueue
    /// The notices in the queue that are not in the store.
    private var unstored: Set<NoticeID> = []
    /// The changes that the store could not make while another process held its lock, oldest first.
    private var late: [(id: NoticeID, change: Change)] = []
    /// Whether the last delivery failed, so that this was reported.
    private var isFailing = false

    /// Creates the outbox of a receiver without notices.
    init(_ receiver: NoticeReceiver, store: any NoticeStore, reports: NoticeReports, limit: Duration, seed: UInt64) {
        (key, name) = (receiver.key, receiver.shownName)
        (self.store, self.reports, self.limit) = (store, reports, limit)
        queue = NoticeQueue(limit: limit, batch: receiver.batch, seed: seed)
    }

    /// The number of notices that wait or are under way.
    var waiting: Int { queue.waiting + queue.underWay }

    /// The number of notices that are under way.
    var underWay: Int { queue.underWay }

    /// The number of notices that wait or are under way, and are not in the file of the store.
    var waitingUnstored: Int { store.isPersistent ? unstored.count : 0 }

    /// Adds a notice, which may be in memory only.
    mutating func add(_ notice: StoredNotice, isStored: Bool) {
        guard queue.add(notice) else { return }
        if !isStored { unstored.insert(notice.id) }
        if !isStored || !store.isPersistent { counts.unstored += 1 }
    }

    /// Adds what an earlier session has left; returns the number of notices that wait.
    ///
    /// What that session has concluded is reported and not sent. With `atOnce`, the delay before the next attempt is over.
    mutating func adopt(_ notices: [StoredNotice], at now: Date, atOnce: Bool = false) -> Int {
        var count = 0
        for notice in notices {
            if let conclusion = notice.conclusion {
                report(conclusion, about: notice)
                continue
            }
            var notice = notice
            // A wrong clock of the earlier session must not hold it back for longer.
            notice.due = min(notice.due, atOnce ? now : now.addingTimeInterval(limit.seconds))
            if queue.add(notice) { count += 1 }
        }
        return count
    }

    /// Returns the notices of the next delivery; `nil` if nothing is to be sent now.
    mutating func next(at now: Date) -> [StoredNotice]? { queue.next(at: now) }

    /// When ``next(at:)`` has something again; `nil` if only a result or a new notice can change that.
    func wakeUp(at now: Date) -> Date? { queue.wakeUp(at: now) }

    /// Processes the result of a delivery.
    mutating func ended(_ notices: [StoredNotice], _ result: DeliveryResult, at now: Date) {
        counts.repeated += notices.count { $0.attempts > 0 }
        let outcomes = queue.ended(notices, result, at: now)
        for (notice, outcome) in zip(notices, outcomes) {
            switch outcome {
            case .delivered:
                counts.delivered += 1
                isFailing = false
                change(notice, .finish)
                unstored.remove(notice.id)
            case .refused(let reason):
                counts.refused += 1
                conclude(
                    notice,
                    .noticeFailed(action: name, event: notice.event, reason: reason.sanitized(limit: 600))
                )
            case .expired(let reason):
                counts.expired += 1
                let span = Localizer.ofProcess.span(limit)
                let reason = reason.sanitized(limit: 600)
                conclude(notice, .noticeExpired(action: name, event: notice.event, limit: span, reason: reason))
            case .retry(let due, let attempts):
                reportFailure(result, of: notice)
                change(notice, .postpone(attempts: attempts, due: due))
            }
        }
    }

    /// Stores all that waits, because the store has begun a new file.
    mutating func storeAgain() {
        for notice in queue.all {
            do throws(NoticeStoreError) {
                try store.add(notice, for: [key])
                if unstored.remove(notice.id) != nil { counts.unstored -= 1 }
            } catch {
                if unstored.insert(notice.id).inserted { counts.unstored += 1 }
                reports.add(error, isUnstored: true)
            }
        }
    }

    /// Changes and stores what could not be before, in order for each journey; throws as soon as that is not possible again.
    mutating func storeLate() throws(NoticeStoreError) {
        while let (id, change) = late.first {
            try perform(change, of: id)
            late.removeFirst()
        }
        guard waitingUnstored > 0 else { return }
        for notice in queue.all where unstored.contains(notice.id) {
            try store.add(notice, for: [key])
            unstored.remove(notice.id)
            counts.unstored -= 1
        }
    }

    /// Reports what will not be sent, because it is only in memory.
    func reportLeft() {
        for notice in queue.all where unstored.contains(notice.id) || !store.isPersistent {
            reports.add(Localizer.ofProcess(.noticeDropped(action: name, event: notice.event)))
        }
    }

    // MARK: Details

    /// Stores and reports why a notice is not sent any more.
    private mutating func conclude(_ notice: StoredNotice, _ text: Text) {
        let text = Localizer.ofProcess(text)
        change(notice, .conclude(text))
        report(text, about: notice)
        unstored.remove(notice.id)
    }

    private func report(_ text: String, about notice: StoredNotice) {
        reports.add(NoticeReports.Report(text: text, concluded: notice.id, receiver: key))
    }

    /// Reports the first failure after a delivery.
    private mutating func reportFailure(_ result: DeliveryResult, of notice: StoredNotice) {
        guard !isFailing, case .failed(let reason, _) = result else { return }
        isFailing = true
        let shown = reason.sanitized(limit: 600)
        reports.add(Localizer.ofProcess(.noticeFailed(action: name, event: notice.event, reason: shown)))
    }

    /// Changes the row of a notice, later if another process holds the lock; reports another failure of the store.
    private mutating func change(_ notice: StoredNotice, _ change: Change) {
        guard !unstored.contains(notice.id) else { return }
        do throws(NoticeStoreError) {
            try perform(change, of: notice.id)
        } catch {
            if case .locked = error { late.append((notice.id, change)) } else { reports.add(error) }
        }
    }

    private func perform(_ change: Change, of id: NoticeID) throws(NoticeStoreError) {
        switch change {
        case .finish: try store.finish(id, for: key)
        case .postpone(let attempts, let due): try store.postpone(id, for: key, attempts: attempts, due: due)
        case .conclude(let reason): try store.conclude(id, for: key, reason: reason)
        }
    }
}

extension NoticeStoreError {
    /// The reason alone, in the language of the process.
    var reason: String {
        switch self {
        case .full: Localizer.ofProcess(.noticeStoreFull)
        case .unreadable(let reason), .locked(let reason), .disk(let reason): reason.sanitized(limit: 200)
        }
    }

    /// Why notices cannot be stored, in the language of the process.
    func text(of store: any NoticeStore) -> String {
        Localizer.ofProcess(.noticeUnstored(file: excerpt(path: store.path), reason: reason))
    }
}
