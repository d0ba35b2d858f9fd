import Foundation
import Runtime
import TripText

@testable import tripshare

/// One generated run in virtual time: processes notice events, deliver them and end, and the last one lives until all is done.
final class NoticeRun {
    private struct UnderWay {
        var end: Date
        var receiver: Int
        var notices: [StoredNotice]
        var isProcessed: Bool
        var result: DeliveryResult
    }

    let world: NoticeWorld
    /// The number of processes that lived.
    private(set) var lives = 0
    private let limit: Duration
    private let batch: Int
    private let contents = MemoryNoticeStore.Contents()
    private var ends: [Int]
    /// The events that are still to happen, with their time and journey.
    private var script: [(at: Date, event: String, journey: String)] = []
    private let start: Date
    private var left: [WaitingNotice] = []

    /// Creates a run; each number of `ends` is the number of steps of a process.
    init(seed: UInt64, ends: [Int]) {
        world = NoticeWorld(seed: seed)
        self.ends = ends
        start = world.now
        limit = .seconds(Int.random(in: 20...300, using: &world.random))
        batch = Bool.random(using: &world.random) ? 1 : Int.random(in: 2...4, using: &world.random)
        for number in 0..<Int.random(in: 4...14, using: &world.random) {
            let at = start + Double.random(in: 0...90, using: &world.random)
            script.append((at, "event-\(number)-", "trip-\(Int.random(in: 1...3, using: &world.random))"))
        }
        script.sort { $0.at < $1.at }
    }

    /// Performs the run.
    func perform() {
        while true {
            lives += 1
            let life = NoticeWorld.Life(steps: ends.isEmpty ? .max : ends.removeFirst())
            if live(life) { break }
            // The next process begins some time later.
            world.now += Double.random(in: 0...20, using: &world.random)
        }
        // A store can always be read.
        left = (try? MemoryNoticeStore(session: "reader", contents: contents).waiting()) ?? []
    }

    /// Runs a process; returns whether it lived until everything was done.
    private func live(_ life: NoticeWorld.Life) -> Bool {
        let store = MortalNoticeStore(contents, session: "session-\(lives)", world, life)
        defer { store.end() }
        let reports = NoticeReports(store)
        var outboxes = world.receivers.map { name in
            NoticeOutbox(
                NoticeReceiver(triggers: [], action: .webhook(Webhook(url: "https://\(name)/", batch: batch))),
                store: store,
                reports: reports,
                limit: limit,
                seed: world.random.next()
            )
        }
        let keys = outboxes.map(\.key)
        for (key, name) in zip(keys, world.receivers) { names[key] = name }
        // A process that has ended throws here, and is left below.
        let adopted = (try? store.adopt(for: keys)) ?? [:]
        for index in outboxes.indices { _ = outboxes[index].adopt(adopted[keys[index]] ?? [], at: world.now) }
        var underWay: [UnderWay] = []
        var sequence = 0
        while !life.isOver {
            world.isCalm = world.now > start + 150
            // The session takes the reports now and then.
            if script.isEmpty || Bool.random(using: &world.random) { write(reports, life) }
            if let event = script.first, event.at <= world.now {
                script.removeFirst()
                sequence += 1
                store.isFull = !world.isCalm && Int.random(in: 0..<12, using: &world.random) == 0
                add(event, sequence, to: &outboxes, store)
                continue
            }
            if let index = underWay.indices.min(by: { underWay[$0].end < underWay[$1].end }),
                underWay[index].end <= world.now
            {
                finish(underWay.remove(at: index), &outboxes, life)
                continue
            }
            if let index = outboxes.indices.first(where: {
                outboxes[$0].wakeUp(at: world.now).map { $0 <= world.now } ?? false
            }),
                let notices = outboxes[index].next(at: world.now)
            {
                underWay.append(send(notices, to: index))
                _ = life.passes()
                continue
            }
            let times =
                underWay.map(\.end) + outboxes.compactMap { $0.wakeUp(at: world.now) } + script.prefix(1).map(\.at)
            guard let next = times.min() else {
                write(reports, life)
                if !life.isOver, reports.isEmpty {
                    reports.confirm()
                    return !life.isOver
                }
                continue
            }
            world.now = max(next, world.now + 0.001)
        }
        // The connections break: the receiver has what was under way, or it never gets it.
        for delivery in underWay where delivery.isProcessed && Bool.random(using: &world.random) { process(delivery) }
        return false
    }

    private var names: [String: String] = [:]

    private func add(
        _ event: (at: Date, event: String, journey: String),
        _ sequence: Int,
        to outboxes: inout [NoticeOutbox],
        _ store: MortalNoticeStore
    ) {
        let notice = StoredNotice(
            id: NoticeID(provider: "p", journey: event.journey, event: event.event, time: event.at, number: 0),
            session: store.session,
            sequence: sequence,
            journey: event.journey,
            event: event.event,
            body: Array("{\"event\":\"\(event.event)\"}\n".utf8),
            created: world.now,
            due: world.now
        )
        let isStored = (try? store.add(notice, for: outboxes.map(\.key))) != nil
        for index in outboxes.indices { outboxes[index].add(notice, isStored: isStored) }
    }

    private func send(_ notices: [StoredNotice], to index: Int) -> UnderWay {
        let receiver = world.receivers[index]
        for notice in notices { world.add(.sent(receiver: receiver, event: notice.event)) }
        let answer = world.answer(of: receiver)
        return UnderWay(
            end: world.now + answer.delay,
            receiver: index,
            notices: notices,
            isProcessed: answer.isProcessed,
            result: answer.result
        )
    }

    private func process(_ delivery: UnderWay) {
        let receiver = world.receivers[delivery.receiver]
        for notice in delivery.notices {
            world.add(.received(receiver: receiver, event: notice.event, id: notice.id.text))
        }
    }

    private func finish(_ delivery: UnderWay, _ outboxes: inout [NoticeOutbox], _ life: NoticeWorld.Life) {
        if delivery.isProcessed { process(delivery) }
        if case .refused = delivery.result {
            for notice in delivery.notices {
                world.add(.refused(receiver: world.receivers[delivery.receiver], event: notice.event))
            }
        }
        guard life.passes() else { return }
        outboxes[delivery.receiver].ended(delivery.notices, delivery.result, at: world.now)
    }

    /// Writes the reports, unless the process ends before.
    private func write(_ reports: NoticeReports, _ life: NoticeWorld.Life) {
        let sentences = reports.dequeue()
        guard !sentences.isEmpty, life.passes() else { return }
        for sentence in sentences where isConclusion(sentence) {
            for receiver in world.receivers where sentence.contains(receiver) {
                for (event, _, _) in world.noticed where sentence.contains(event) {
                    world.add(.reported(receiver: receiver, event: event, at: world.now))
                }
            }
        }
        _ = life.passes()
    }

    /// Whether a sentence says that a notice is not sent any more: it was refused, or its time is over.
    private func isConclusion(_ sentence: String) -> Bool {
        sentence.contains("HTTP 400") || sentence.contains(Localizer.ofProcess.span(limit))
    }
}

// MARK: What must hold

extension NoticeRun {
    /// The number of times that a receiver processed a notice again.
    var duplicates: Int {
        var seen: Set<String> = []
        return world.steps.count { step in
            guard case .received(let receiver, let event, _) = step else { return false }
            return !seen.insert("\(receiver) \(event)").inserted
        }
    }

    /// What does not hold; empty if the run is right.
    var problems: [String] {
        var problems: [String] = []
        var ids: [String: Set<String>] = [:]
        for (index, receiver) in world.receivers.enumerated() {
            let key = names.first { $0.value == receiver }?.key ?? "\(index)"
            var received: [String] = []
            var (reported, removed): (Set<String>, Set<String>) = ([], [])
            var (refused, processed): (Set<String>, Set<String>) = ([], [])
            for step in world.steps {
                switch step {
                case .received(receiver, let event, let id):
                    if processed.insert(event).inserted { received.append(event) }
                    ids[event, default: []].insert(id)
                case .reported(receiver, let event, let time):
                    reported.insert(event)
                    let end = world.noticed.first { $0.event == event }?.at.addingTimeInterval(limit.seconds)
                    if !refused.contains(event), let end, time < end {
                        problems.append("\(event) has expired for \(receiver) before its time")
                    }
                case .refused(receiver, let event): refused.insert(event)
                case .removed(key, let event):
                    if !reported.contains(event) { removed.insert(event) }
                case .sent(receiver, let event):
                    if reported.contains(event) { problems.append("\(event) is sent to \(receiver) after its report") }
                    if removed.contains(event) { problems.append("\(event) is sent to \(receiver) after its delivery") }
                default: break
                }
            }
            for event in removed.intersection(reported) {
                problems.append("\(event) is delivered to \(receiver) and reported")
            }
            let waits = Set(left.filter { $0.receiver == key }.map(\.notice.event))
            for (event, _, _) in world.noticed
            where !processed.contains(event) && !reported.contains(event) && !waits.contains(event) {
                // What the file had no room for ends with its process.
                guard !world.unstored.contains(event) || lives == 1 else { continue }
                problems.append("\(event) is lost for \(receiver)")
            }
            // All receivers work at the end, and the last process has done all.
            if !waits.isEmpty { problems.append("\(waits) still wait for \(receiver)") }
            for event in removed where !processed.contains(event) {
                problems.append("\(event) is removed for \(receiver) without a delivery")
            }
            problems += disorder(of: received, at: receiver)
        }
        for (event, ids) in ids where ids.count != 1 { problems.append("\(event) has the IDs \(ids)") }
        if Set(ids.values).count != ids.count { problems.append("two events have the same ID") }
        return problems
    }

    /// The events of a journey that a receiver has got in another order than they happened.
    private func disorder(of received: [String], at receiver: String) -> [String] {
        let orders = Dictionary(world.noticed.enumerated().map { ($1.event, $0) }) { first, _ in first }
        let journeys = Dictionary(world.noticed.map { ($0.event, $0.journey) }) { first, _ in first }
        var last: [String: Int] = [:]
        return received.compactMap { event in
            guard let journey = journeys[event], let order = orders[event] else { return "\(event) never happened" }
            defer { last[journey] = max(order, last[journey] ?? 0) }
            return (last[journey] ?? 0) > order ? "\(event) comes late at \(receiver)" : nil
        }
    }
}
