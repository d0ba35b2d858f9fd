import Canvas
import Failures
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel

extension Reporter {
    func ageMessages(_ age: PositionAge, _ journey: JourneyID, _ now: Date) -> [EventMessage] {
        // The failed polls have already been reported, and a missing answer is not known to be one.
        guard let reason = age.reason, let words = age.explanation(localizer),
            ![.pollingFails, .unanswered, .paused].contains(reason)
        else { return [] }
        let old = (reason == .deliveredLate ? age.measured : age.received ?? age.measured) ?? .zero
        let text = localizer(.positionIsOld(age: localizer.age(old), reason: words))
        return [item(now, journey, .warning, text)]
    }

    func scheduleMessages(
        _ schedule: PollSchedule,
        _ before: PollSchedule?,
        _ journey: JourneyID,
        _ time: Date
    ) -> [EventMessage] {
        var messages: [EventMessage] = []
        if schedule.isPaused != (before?.isPaused ?? false) {
            messages.append(item(time, journey, .accent, localizer(schedule.isPaused ? .pausedMessage : .askingAgain)))
        }
        let interval = localizer.span(schedule.interval)
        if let asked = schedule.clampedFrom, asked != before?.clampedFrom {
            let from = localizer.span(asked)
            let text = localizer(
                asked < schedule.interval
                    ? .intervalRaised(from: from, to: interval) : .intervalLowered(from: from, to: interval)
            )
            messages.append(item(time, journey, .warning, text))
        } else if let before, before.interval != schedule.interval {
            var change = item(time, journey, .accent, localizer(.askingEvery(interval: interval)))
            change.isInterval = true
            messages.append(change)
        }
        return messages
    }

    mutating func tokenEventMessages(
        _ event: TokenEvent,
        _ before: TokenFacts,
        _ journey: JourneyID,
        _ facts: JourneyFacts?
    ) -> [EventMessage] {
        func message(_ role: Role, _ text: String, _ advice: String? = nil) -> [EventMessage] {
            [item(event.at.wall, journey, role, text, advice)]
        }
        switch event.kind {
        case .fetching(let reason):
            return reason == .requested ? message(.text, localizer(.tokenRequested)) : []
        case .stored(let generation):
            var text =
                generation > 1 ? localizer(.tokenRefreshed(number: String(generation))) : localizer(.tokenReceived)
            if let end = event.status.expiresAt {
                text += localizer(.goodUntil(time: zone.clock(end, now: event.at.wall)))
            }
            if before.missing != nil { text += localizer(.afterFailure) }
            // Clock differences have their own event, so they are not reported with each token.
            let isNew = { (warning: Failure) in !before.warnings.contains(warning.name) }
            let warnings = event.status.warnings.filter { !$0.isAboutClocks && isNew($0) }.map {
                UserMessage($0, localizer: localizer)
            }
            return message(.positive, text) + warnings.flatMap { message(.warning, $0.what, remedy(of: $0)) }
        case .failed(let error):
            let failure = error.failure.with(History(hasAnswer: facts?.answer != nil))
            let sentence = UserMessage(noToken: failure, event.status, journey: journey, localizer: localizer)
            // The poll whose token was refused follows, with the verdict.
            if failure.rejection != nil { return message(.critical, sentence.what) }
            return message(.critical, sentence.what, remedy(of: sentence))
        case .rejected(let status):
            let fault = event.status.lastRejected?.injected
            return message(.critical, localizer(.tokenRefused(status: status.label)) + localizer.remark(about: fault))
        case .repeated(let end):
            let source = Self.sanitized(event.status.source, limit: 40)
            return message(
                .text,
                localizer(.tokenRepeated(source: source, time: zone.clock(end, now: event.at.wall)))
            )
        case .discardedLate: return message(.secondary, localizer(.tokenTooLate))
        case .clockDisagreement(let offset):
            defer { reportedOffset = offset.seconds }
            guard abs(offset.seconds) > Self.clockTolerance else {
                return message(.positive, localizer(.clocksAgree))
            }
            guard abs(offset.seconds - reportedOffset) > Self.clockTolerance else { return [] }
            let what = UserMessage(Failure.clockDiffers(offset), localizer: localizer).what
            return message(.warning, what + localizer.remark(about: event.status.lastExchange?.explanation))
        case .omitted(let omission):
            return omissionMessages(omission, journey, facts, event.at.wall, successes: "stored")
        case .evicted: return message(.secondary, localizer(.tokenEvicted))
        case .closed: return []
        }
    }
}
