import FleetTokens
package import Runtime
package import TripFeed
import TripModel
import TripText

/// The latest calls about a trip in the order in which they ended: polls, fetches of tokens, and a demo driver's reports.
package struct CallLog: Sendable {
    /// A call with its number in the session.
    package struct Entry: Sendable {
        /// The number, starting at 1.
        package let number: Int
        /// The call.
        package let call: CallRecord
    }

    /// The calls, oldest first.
    package private(set) var entries: SharedArray<Entry> = []
    /// The number of calls so far.
    package private(set) var count = 0

    private var token: Int?
    private var reason: FetchReason?

    /// The maximum number of calls of one trip.
    static let mostCalls = 300
    /// The maximum number of calls of all trips together, as far as each can keep a few.
    private static let mostOfAll = 6000
    private static let fewest = 12

    /// Returns how many calls each of a number of trips keeps.
    package static func limit(trips: Int) -> Int { max(fewest, min(mostCalls, mostOfAll / max(1, trips))) }

    /// Records a completed poll; one without a request was no call.
    mutating func add(_ report: PollReport, limit: Int) {
        guard var call = CallRecord(report) else { return }
        call.token = token
        add(call, limit)
    }

    /// Records an event of the trip's token; only a completed fetch is a call.
    mutating func add(_ event: TokenEvent, limit: Int) {
        switch event.kind {
        case .fetching(let reason): self.reason = reason
        case .stored(let number): token = number
        case .evicted: token = nil
        case .repeated, .failed, .rejected, .discardedLate, .clockDisagreement, .omitted, .closed: break
        }
        guard let call = CallRecord(event, reason: reason) else { return }
        reason = nil
        add(call, limit)
    }

    /// Records a call of the trip's driver.
    mutating func add(_ call: DriverCall, about trip: JourneyID, limit: Int) {
        add(CallRecord(call, about: trip), limit)
    }

    private mutating func add(_ call: CallRecord, _ limit: Int) {
        count += 1
        entries.append(Entry(number: count, call: call))
        if entries.count > limit { entries.removeFirst(entries.count - limit) }
    }
}

/// The order, the filter and the choice in the list of calls.
package struct CallList: Sendable, Equatable {
    /// The sort key.
    package enum Order: Sendable, Hashable, CaseIterable {
        case time
        case party
        case status
        case size
        case duration

        /// What it orders by, within a sentence.
        var noun: Text {
            switch self {
            case .time: .orderTime
            case .party: .orderParty
            case .status: .orderStatus
            case .size: .orderSize
            case .duration: .orderDuration
            }
        }
    }

    /// The sort key.
    package var order = Order.time
    /// Whether the order is reversed.
    package var isReversed = false
    /// Shows only calls with this text in their party, name, path, status or failure; empty shows all.
    package var filter = ""
    /// Whether only failed calls are shown.
    package var failuresOnly = false
    /// The number of the chosen call; `nil` for the last one, also when more calls follow.
    package var chosen: Int?
}

extension CallList {
    /// Returns the shown calls in order.
    func shown(of log: CallLog, host: String, _ localizer: Localizer) -> [CallLog.Entry] {
        let needle = filter.lowercased()
        var shown = Array(
            log.entries.lazy.filter { entry in
                (!failuresOnly || entry.call.failure != nil)
                    && (needle.isEmpty || Self.matches(entry.call, needle, host, localizer))
            }
        )
        switch order {
        case .time: break
        case .party: shown.sort { ($0.call.party.rawValue, $0.number) < ($1.call.party.rawValue, $1.number) }
        case .status:
            shown.sort { ($0.call.status?.httpStatus ?? 0, $0.number) < ($1.call.status?.httpStatus ?? 0, $1.number) }
        case .size: shown.sort { ($0.call.bytes ?? -1, $0.number) < ($1.call.bytes ?? -1, $1.number) }
        case .duration: shown.sort { ($0.call.duration ?? .zero, $0.number) < ($1.call.duration ?? .zero, $1.number) }
        }
        return isReversed ? shown.reversed() : shown
    }

    private static func matches(_ call: CallRecord, _ needle: String, _ host: String, _ localizer: Localizer) -> Bool {
        let words = CallWords(call, host: host, localizer: localizer)
        let texts = [words.party, words.name, words.path, call.status?.name, call.failure?.code, words.message?.short]
        return texts.contains { $0?.lowercased().contains(needle) ?? false }
    }

    /// Returns the index of the chosen call among the shown ones, else that of the next later one; `nil` if none is shown.
    func index(in shown: [CallLog.Entry]) -> Int? {
        guard !shown.isEmpty else { return nil }
        guard let chosen else { return shown.count - 1 }
        if let index = shown.firstIndex(where: { $0.number == chosen }) { return index }
        return order == .time && !isReversed
            ? shown.firstIndex { $0.number > chosen } ?? shown.count - 1 : shown.count - 1
    }

    /// Moves the choice down by a number of rows; at the last call it follows the calls to come.
    mutating func move(by rows: Int, in shown: [CallLog.Entry]) {
        guard let index = index(in: shown) else { return }
        choose(min(max(0, index + rows), shown.count - 1), in: shown)
    }

    /// Chooses a call by its index among the shown ones.
    mutating func choose(_ index: Int, in shown: [CallLog.Entry]) {
        guard shown.indices.contains(index) else { return }
        chosen = index == shown.count - 1 ? nil : shown[index].number
    }

    /// Chooses the next failed call, or the one before; returns whether there is one.
    mutating func jumpToFailure(forward: Bool, in shown: [CallLog.Entry]) -> Bool {
        guard let index = index(in: shown) else { return false }
        let found =
            forward
            ? shown.indices.first { $0 > index && shown[$0].call.failure != nil }
            : shown.indices.last { $0 < index && shown[$0].call.failure != nil }
        if let found { choose(found, in: shown) }
        return found != nil
    }
}
