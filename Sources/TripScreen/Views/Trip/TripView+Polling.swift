import Canvas
import Failures
import FleetTokens
import Runtime
import TripFeed
import TripModel
import TripText

extension TripView {
    /// Draws the poll status: the last answer, the latencies, the next poll.
    func drawPolling(_ rows: Rows, on canvas: inout Canvas, in rect: Rect) {
        guard !state.settings.hasSides else {
            let inner = canvas.frame(rect, title: localizer(.polling)).inset(horizontal: 1, vertical: 0)
            canvas.putWrapped(localizer(.sideNoPolls(key: state.keyName(.showSides))), in: inner, role: .secondary)
            return
        }
        let history = trip.history
        let note = history.polls == 0 ? "" : localizer(.polls(count: history.polls))
        let inner = canvas.frame(rect, title: localizer(.polling), note: note).inset(horizontal: 1, vertical: 0)
        let used = rows.draw(on: &canvas, in: inner)
        rows.drawLeftOut(
            shown: used,
            key: String(ViewKind.network.number),
            on: &canvas,
            in: inner,
            localizer: localizer
        )
        drawLatencies(
            on: &canvas,
            in: Rect(x: inner.x, y: inner.y + used, width: inner.width, height: inner.height - used)
        )
    }

    /// The lines about the last poll and the next one.
    func pollingRows(width: Int) -> Rows {
        let history = trip.history
        var rows = Rows()
        rows.add(lastResult(inARow: true), right: size, rank: 0)
        if let failed = trip.failedPoll, failed.failure.isOfService,
            let advice = failed.message(about: trip.id, state.settings).advice
        {
            rows.add([Span(advice, .warning)], rank: 4)
        }
        addNext(to: &rows, width: width)
        if let schedule = trip.schedule {
            var words = localizer(.every(interval: localizer.span(schedule.interval)))
            var role: Role = .secondary
            if let asked = schedule.clampedFrom {
                let span = localizer.span(asked)
                words += localizer(
                    asked < schedule.interval ? .raisedFrom(interval: span) : .loweredFrom(interval: span)
                )
                role = .warning
            }
            let errors =
                history.errors == 0 ? [] : [Span(localizer(.failed(number: String(history.errors))), .secondary)]
            rows.add([Span(words, role)], right: errors, rank: schedule.clampedFrom == nil ? 3 : 2)
        }
        return rows
    }

    /// Returns `200 OK in 12 ms`, over gRPC `OK in 12 ms`, or the failure and its number of repetitions.
    func lastResult(inARow: Bool) -> [Span] {
        guard let report = trip.lastReport else {
            return [Span(localizer(trip.isPolling ? .askingFirst : .notAskedYet), .secondary)]
        }
        if let failed = trip.failedPoll {
            let row = trip.schedule?.failures ?? 1
            let times = inARow && row > 1 ? localizer(.inARowAlso(number: String(row))) : ""
            // The token panel already shows the token error.
            if failed.failure.isOnlyMissingToken {
                return [Span("\(glyphs.cross) \(localizer(.noTokenToAskWith))\(times)", .critical)]
            }
            let sentence = failed.message(about: trip.id, state.settings)
            return [Span("\(glyphs.cross) \(sentence.short)\(times)", .critical)]
        }
        let status = report.status?.name ?? localizer(.answer)
        return [
            Span("\(glyphs.check) \(report.answer?.grpcStatus == nil ? "\(status) OK" : status)", .positive),
            Span(localizer(.tookTime(duration: localizer.latency(report.latency))), .text),
        ]
    }

    private var size: [Span] {
        trip.lastReport?.answer?.bytes.map { [Span(localizer.bytes($0), .secondary)] } ?? []
    }

    /// Adds the time of the next poll and its reason, on separate lines if necessary.
    private func addNext(to rows: inout Rows, width: Int) {
        guard let (due, role, reason) = nextPoll else {
            rows.add(noNextPoll, rank: 1)
            return
        }
        let line = [Span(localizer(.nextPoll(countdown: due)), role)]
        guard let reason else { return rows.add(line, rank: 1) }
        let tail = localizer(.clauseComma) + reason
        if TextWidth.of(line[0].text + tail) <= width {
            rows.add(line + [Span(tail, .secondary)], rank: 1)
        } else {
            rows.add(line, rank: 1)
            rows.add([Span(reason, .secondary)], rank: 2)
        }
    }

    /// The time, the role and the reason of the next poll; `nil` if none is scheduled.
    var nextPoll: (due: String, role: Role, reason: String?)? {
        guard trip.end == nil, !trip.isPolling, let schedule = trip.schedule, !schedule.isPaused,
            let due = schedule.next
        else { return nil }
        let (reason, role) = Self.words(schedule.reason)
        return (localizer.countdown(max(.zero, due - now.steady)), role, reason.map { localizer($0) })
    }

    /// Why no poll is scheduled.
    var noNextPoll: [Span] {
        if trip.end != nil { return [Span(localizer(.pollingEnded), .secondary)] }
        if trip.isPolling {
            guard let wait = trip.wait(at: now, speed: state.settings.speed) else {
                return [Span(localizer(.askingNow), .accent)]
            }
            return [Span(localizer(.askingFor(duration: localizer.watch(wait))), .warning)]
        }
        guard trip.isPaused else { return [Span(localizer(.nextPollNotKnown), .secondary)] }
        return [Span(localizer(.pausedPolls), .warning), Span(localizer(.spaceGoesOn), .secondary)]
    }

    /// What decides the next poll, in words.
    static func words(_ reason: PollSchedule.Reason) -> (Text?, Role) {
        switch reason {
        case .interval: (nil, .text)
        case .waitingForVehicle: (.reasonNoVehicle, .text)
        case .nextAttempt: (.reasonNextAttempt, .text)
        case .waitingForCreation: (.reasonWaiting, .warning)
        case .confirmingEnd: (.reasonConfirming, .text)
        case .newToken: (.reasonNewToken, .warning)
        case .backOff: (.reasonBackOff, .warning)
        case .retryAfter: (.reasonRetryAfter, .warning)
        case .quota: (.reasonQuota, .text)
        }
    }

    /// Draws the latencies as columns; failures are gaps.
    private func drawLatencies(on canvas: inout Canvas, in rect: Rect) {
        let rect = Rect(x: rect.x, y: rect.y, width: rect.width, height: min(rect.height, 10))
        guard !rect.isEmpty, let top = trip.history.maximum, top > .zero else { return }
        let values = trip.history.entries.map { $0.isGood ? $0.latency?.seconds : nil }
        canvas.chart(values, in: rect, top: top.seconds)
    }
}

extension Failure {
    /// Whether the root cause occurred while calling the service.
    var isOfService: Bool { !isOnlyMissingToken }
}
