import Canvas
import TripFeed
import TripModel

extension TripView {
    /// How asking goes: the last answer, the latencies, the next poll.
    func drawPolling(on canvas: inout Canvas, in rect: Rect) {
        let history = trip.history
        let note = history.polls == 0 ? "" : Wording.count(history.polls, "poll")
        let inner = canvas.frame(rect, title: "Polling", note: note).inset(horizontal: 1, vertical: 0)
        var rows = Rows()
        rows.add(lastResult, right: size, rank: 0)
        if let failure = trip.lastReport?.failure, failure.isOfService {
            let sentence = Sentence(failure, trip: trip.id, host: state.settings.host)
            if let advice = sentence.advice { rows.add([Span(advice, .warning)], rank: 4) }
        }
        rows.add(next, rank: 1)
        if let schedule = trip.schedule {
            var words = "every \(Wording.span(schedule.interval))"
            var role: Role = .secondary
            if let asked = schedule.clampedFrom {
                words += ", \(asked < schedule.interval ? "raised" : "lowered") from \(Wording.span(asked))"
                role = .warning
            }
            let errors = history.errors == 0 ? [] : [Span("\(history.errors) failed", .secondary)]
            rows.add([Span(words, role)], right: errors, rank: schedule.clampedFrom == nil ? 3 : 2)
        }
        if let median = history.median, let maximum = history.maximum {
            let words = "p50 \(Wording.latency(median)) \(glyphs.separator) max \(Wording.latency(maximum))"
            rows.add([Span(words, .secondary)], rank: 2)
        }
        let used = rows.draw(on: &canvas, in: inner)
        drawLatencies(
            on: &canvas,
            in: Rect(x: inner.x, y: inner.y + used, width: inner.width, height: inner.height - used)
        )
    }

    /// `200 OK in 12 ms`, or what went wrong.
    var lastResult: [Span] {
        guard let report = trip.lastReport else {
            return [Span(trip.isPolling ? "asking for the first time" : "not asked yet", .secondary)]
        }
        if let failure = report.failure {
            let row = trip.schedule?.failures ?? 1
            let times = row > 1 ? ", \(row) in a row" : ""
            // What is wrong with the token stands in its own panel.
            if case .token = failure { return [Span("\(glyphs.cross) no token to ask with\(times)", .critical)] }
            let sentence = Sentence(failure, trip: trip.id, host: state.settings.host)
            return [Span("\(glyphs.cross) \(sentence.short)\(times)", .critical)]
        }
        let status = report.httpStatus.map(String.init) ?? "answer"
        return [Span("\(glyphs.check) \(status) OK", .positive), Span(" in \(Wording.latency(report.latency))", .text)]
    }

    private var size: [Span] {
        trip.lastReport?.bytes.map { [Span(Wording.bytes($0), .secondary)] } ?? []
    }

    /// When the next poll comes and why then.
    var next: [Span] {
        if trip.end != nil { return [Span("nobody asks any more", .secondary)] }
        if trip.isPolling { return [Span("asking now", .accent)] }
        guard let schedule = trip.schedule else { return [Span("next poll not known", .secondary)] }
        if schedule.isPaused { return [Span("paused", .warning), Span(", space goes on", .secondary)] }
        guard let due = schedule.next else { return [Span("next poll not known", .secondary)] }
        let wait = Wording.countdown(max(.zero, due - now.steady))
        let (reason, role) = Self.words(schedule.reason)
        return [Span("next \(wait)", role), Span(reason.isEmpty ? "" : ", \(reason)", .secondary)]
    }

    /// What decides the next poll, in words.
    static func words(_ reason: PollSchedule.Reason) -> (String, Role) {
        switch reason {
        case .interval: ("", .text)
        case .waitingForVehicle: ("less often without a vehicle", .text)
        case .waitingForCreation: ("waiting for the trip", .warning)
        case .confirmingEnd: ("one more look at the end", .text)
        case .newToken: ("at once with a new token", .warning)
        case .backOff: ("longer after failures", .warning)
        case .retryAfter: ("as the service asked", .warning)
        case .quota: ("after those of other trips", .text)
        }
    }

    /// The latencies as columns, failures as gaps.
    private func drawLatencies(on canvas: inout Canvas, in rect: Rect) {
        let rect = Rect(x: rect.x, y: rect.y, width: rect.width, height: min(rect.height, 6))
        guard !rect.isEmpty, let top = trip.history.maximum, top > .zero else { return }
        let values = trip.history.entries.map { $0.isGood ? $0.latency?.seconds : nil }
        canvas.chart(values, in: rect, top: top.seconds)
    }
}

extension PollFailure {
    /// Whether it came up while asking the service; without a token nobody asked.
    var isOfService: Bool { if case .token = self { false } else { true } }
}
