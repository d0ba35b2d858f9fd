import Synchronization

/// What is reported about notices, until the session takes it.
///
/// A notice that was refused or has expired is removed from the store after its sentence was written.
final class NoticeReports: Sendable {
    /// A sentence, and the notice that is removed from the store after it was written.
    struct Report: Sendable {
        /// The sentence, in the language of the process.
        var text: String
        /// The refused or expired notice; `nil` for a sentence about something else.
        var concluded: NoticeID?
        /// The ``NoticeReceiver/key`` of its receiver.
        var receiver = ""
    }

    private struct State {
        var new: [Report] = []
        /// Those that were taken, and may not be written yet.
        var taken: [Report] = []
        /// Whether it was reported that notices cannot be stored.
        var isUnstored = false
        /// What was reported about the store.
        var storeFailures: Set<String> = []
    }

    private let state = Mutex(State())
    private let store: any NoticeStore

    /// Creates the reports about the notices of a store.
    init(_ store: any NoticeStore) { self.store = store }

    /// Whether there is nothing new.
    var isEmpty: Bool { state.withLock { $0.new.isEmpty } }

    /// Adds a report.
    func add(_ report: Report) { state.withLock { $0.new.append(report) } }

    /// Adds a sentence.
    func add(_ text: String) { add(Report(text: text)) }

    /// Reports once why the store does not work.
    ///
    /// While notices cannot be stored, nothing further is reported about the store; afterwards, it may be reported again.
    func add(_ error: NoticeStoreError, isUnstored: Bool = false) {
        let text = error.text(of: store)
        state.withLock { state in
            if !state.isUnstored, state.storeFailures.insert(text).inserted { state.new.append(Report(text: text)) }
            if isUnstored { state.isUnstored = true }
        }
    }

    /// A notice was stored.
    func stored() {
        state.withLock { state in
            if state.isUnstored { (state.isUnstored, state.storeFailures) = (false, []) }
        }
    }

    /// Returns the sentences since the last call; those of the last call were written.
    func dequeue() -> [String] {
        confirm()
        return state.withLock { state in
            defer { state.new = [] }
            state.taken = state.new
            return state.new.map(\.text)
        }
    }

    /// Removes from the store what the sentences of the last ``dequeue()`` are about.
    func confirm() {
        let taken = state.withLock { state in
            defer { state.taken = [] }
            return state.taken
        }
        for report in taken {
            guard let id = report.concluded else { continue }
            do throws(NoticeStoreError) {
                try store.finish(id, for: report.receiver)
            } catch {
                add(error)
            }
        }
    }
}
