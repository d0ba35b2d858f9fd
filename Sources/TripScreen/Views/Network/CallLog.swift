import Failures
import FleetTokens
import FleetWire
package import Runtime
package import TripFeed
import TripModel
import TripText

/// Numbers the calls of a session in the order in which the screen receives them, starting at 1.
struct CallNumbers: Sendable {
    /// The last number.
    private var last = 0
    /// The event that the next calls come with; `nil` if it is not numbered.
    var event: EventNumber?

    /// Returns the next number.
    mutating func next() -> Int {
        last += 1
        return last
    }
}

/// The latest calls about a trip, or about the project, in the order in which they ended: polls, pages of searches, fetches of
/// tokens with the grants for them, and a demo driver's reports.
package struct CallLog: Sendable {
    /// The calls, oldest first; their numbers are unique among all logs.
    package private(set) var entries: SharedArray<ListedCall> = []
    /// The number of calls so far.
    package private(set) var count = 0

    /// The number of bytes of the stored bodies.
    private var bodyBytes = 0
    /// The position among the calls so far, starting at 1, of the first call whose body may be stored.
    private var firstWithBody = 1

    /// How much is stored for each trip, depending on the number of trips.
    package struct Limit: Sendable {
        /// The maximum number of calls.
        package let calls: Int
        /// The maximum number of bytes of their bodies.
        let bytes: Int

        /// Creates the limit for each of a number of trips: for all together 6000 calls, as far as each can have a few, and 1 MiB.
        package init(trips: Int) {
            calls = max(12, min(300, 6000 / max(1, trips)))
            bytes = (1 << 20) / max(1, trips)
        }
    }

    /// Records a completed poll; a poll without a request was no call.
    mutating func add(_ report: PollReport, _ numbers: inout CallNumbers, limit: Limit) {
        if let call = ListedCall(report) { add(call, &numbers, limit) }
    }

    /// Records a call of the trip's driver, or a page of a search.
    mutating func add(_ call: Call, _ numbers: inout CallNumbers, limit: Limit) {
        add(ListedCall(call), &numbers, limit)
    }

    /// Records the calls of a completed fetch of a token.
    mutating func add(_ event: TokenEvent, _ numbers: inout CallNumbers, limit: Limit) {
        for call in ListedCall.calls(of: event) { add(call, &numbers, limit) }
    }

    /// Returns the number of the page of a search that has returned a poll; `nil` for a poll of one trip.
    func page(of report: PollReport) -> Int? {
        guard let call = report.call, call.operation == .searchTrips else { return nil }
        return entries.last { $0.call.operation == .searchTrips && $0.call.started == call.started }?.number
    }

    private mutating func add(_ call: ListedCall, _ numbers: inout CallNumbers, _ limit: Limit) {
        count += 1
        var call = call
        (call.number, call.event) = (numbers.next(), numbers.event)
        bodyBytes += call.call.bodyBytes
        entries.append(call)
        while entries.count > limit.calls { bodyBytes -= entries.removeFirst().call.bodyBytes }
        firstWithBody = max(firstWithBody, count - entries.count + 1)
        while bodyBytes > limit.bytes, firstWithBody <= count {
            let index = firstWithBody - (count - entries.count + 1)
            bodyBytes -= entries[index].call.bodyBytes
            if entries[index].call.answer?.body != nil { entries[index].call.answer?.body = nil }
            firstWithBody += 1
        }
    }
}

extension Call {
    /// The number of bytes of its answer's body.
    fileprivate var bodyBytes: Int { self.answer?.body?.bytes.count ?? 0 }
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
    /// The text of a `CallFilter`: shows only calls with all its words; empty shows all.
    package var filter = ""
    /// Whether only failed calls are shown.
    package var failuresOnly = false
    /// The number of the chosen call; `nil` for the last one, also when more calls follow.
    package var chosen: Int?
}

extension CallList {
    /// Returns the shown calls of a trip and of the project in order.
    func shown(of trip: CallLog, _ project: CallLog) -> [ListedCall] {
        let filter = CallFilter(filter)
        var shown = [trip, project].flatMap { log in
            log.entries.lazy.filter { (!failuresOnly || $0.call.failure != nil) && filter.matches($0.call) }
        }
        switch order {
        case .time: if project.count > 0 { shown.sort { $0.number < $1.number } }
        case .party: shown.sort { ($0.call.party.rawValue, $0.number) < ($1.call.party.rawValue, $1.number) }
        case .status:
            shown.sort { ($0.call.status?.httpStatus ?? 0, $0.number) < ($1.call.status?.httpStatus ?? 0, $1.number) }
        case .size: shown.sort { ($0.call.answer?.bytes ?? -1, $0.number) < ($1.call.answer?.bytes ?? -1, $1.number) }
        case .duration: shown.sort { ($0.call.duration ?? .zero, $0.number) < ($1.call.duration ?? .zero, $1.number) }
        }
        return isReversed ? shown.reversed() : shown
    }

    /// Returns the index of the chosen call among the shown calls, else the index of the next later call; `nil` if none is shown.
    func index(in shown: [ListedCall]) -> Int? {
        guard !shown.isEmpty else { return nil }
        guard let chosen else { return shown.count - 1 }
        if let index = shown.firstIndex(where: { $0.number == chosen }) { return index }
        return order == .time && !isReversed
            ? shown.firstIndex { $0.number > chosen } ?? shown.count - 1 : shown.count - 1
    }

    /// Moves the choice down by a number of rows; at the last call it follows the calls to come.
    mutating func move(by rows: Int, in shown: [ListedCall]) {
        guard let index = index(in: shown) else { return }
        choose(min(max(0, index + rows), shown.count - 1), in: shown)
    }

    /// Chooses a call by its index among the shown ones.
    mutating func choose(_ index: Int, in shown: [ListedCall]) {
        guard shown.indices.contains(index) else { return }
        chosen = index == shown.count - 1 ? nil : shown[index].number
    }

    /// Chooses the next or the previous failed call; returns whether there is one.
    mutating func jumpToFailure(forward: Bool, in shown: [ListedCall]) -> Bool {
        guard let index = index(in: shown) else { return false }
        let found =
            forward
            ? shown.indices.first { $0 > index && shown[$0].call.failure != nil }
            : shown.indices.last { $0 < index && shown[$0].call.failure != nil }
        if let found { choose(found, in: shown) }
        return found != nil
    }
}
