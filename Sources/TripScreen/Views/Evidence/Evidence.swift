import Canvas
import FleetTokens
import FleetWire
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// The evidence for the sentences of the screen: each with the events that have shown it, and the calls of these events.
///
/// Each view names its sentences in ``ViewPanel/statements(of:)``.
struct Evidence {
    let view: TripView

    var state: State { view.state }
    var trip: FollowedTrip { view.trip }
    private var localizer: Localizer { view.localizer }

    /// The sentences about the trip: what happens, arrivals, status, position, failure and token.
    var ofTrip: [Statement] { caption + claims + failure + token }

    /// Returns the evidence of an event.
    private func basis(_ stamp: EventStamp, _ meaning: Statement.Basis.Meaning = .time) -> Statement.Basis {
        .init(stamp, source(of: stamp.number), meaning)
    }

    private func basis(_ origin: Statement.Origin) -> Statement.Basis {
        switch origin {
        case .event(let stamp): basis(stamp)
        case .logged(let call): .init(call)
        }
    }

    private func source(of event: EventNumber) -> Statement.Source? {
        // The last call of a fetch is the call that got the token.
        let logs = [trip.calls, state.project.calls]
        let call = logs.lazy.compactMap { $0.entries.last { $0.event == event } }.first
        return call.map(Statement.Source.init) ?? (event == trip.shown?.answer?.number ? trip.answering : nil)
    }

    // MARK: Trip

    /// What may be said about arrivals and news, status and position.
    private var claims: [Statement] {
        guard let facts = trip.shown else { return [] }
        return ClaimWords(facts, view.zone, localizer, basis).statements(
            trip.claims(at: state.now),
            at: trip.state.serviceTime(state.now),
            PositionAge(of: trip, at: state.now)
        )
    }

    /// What happens on the ride, or the caption of the scenario; none in a session without captions.
    private var caption: [Statement] {
        let text = state.caption
        guard !text.isEmpty else { return [] }
        let line = state.storyLine
        let poll = trip.lastPoll?.stamp
        let stamps = line.map { line in [trip.story.stamp(of: line) ?? trip.shown?.position?.stamp] } ?? [poll]
        // A caption of the scenario is judged at each poll, most of them by the status.
        let conditions = state.ride.captionConditions
        let isOfScenario = line == nil && state.ride.caption == text && !conditions.isEmpty
        let status = line == nil ? trip.shown?.status.map { basis($0.stamp, .beginning) } : nil
        return [
            Statement(
                .caption,
                localizer(.claimCaption),
                text,
                [isOfScenario ? localizer(.claimWhile(conditions: conditions)) : nil],
                [status].compactMap(\.self) + stamps.compactMap(\.self).map { basis($0) }
            )
        ]
    }

    /// Why polls fail; none while they do not.
    private var failure: [Statement] {
        guard let failed = trip.failedPoll, let stamp = trip.shown?.failure else { return [] }
        let message = failed.message(about: trip.id, state.settings)
        return [Statement(.failure, localizer(.keyFailure), message.what, [], [basis(stamp)])]
    }

    // MARK: Token

    /// The state of the token, its last fetches and its last refusal.
    var token: [Statement] {
        guard let token = trip.token else { return [] }
        let history = trip.tokenHistory
        let life = TokenLife(token, now: view.serviceNow(token))
        let label = localizer(.viewToken)
        let story = view.story(of: token, life, isOver: trip.end != nil).text
        let end = token.expiresAt.map(clock).map { localizer(life.isOver ? .endedAt(time: $0) : .endsAt(time: $0)) }
        let state = Statement(.token, label, story, [end], [history.last].compactMap(\.self).map { basis($0) })
        let stored = history.entries.last { $0.failure == nil }
        let isOfFetch = token.lastError.map { $0.failure.rejection == nil } ?? false
        let failed = !isOfFetch ? nil : history.entries.last { $0.failure != nil }
        let fetches = [stored, failed].compactMap(\.self).map { statement(of: $0, label) }
        let refused = token.lastRejected.flatMap { refusal($0, label) }
        return [state] + fetches + [refused].compactMap(\.self) + tokenUses
    }

    /// What may be said about the use of the tokens.
    private var tokenUses: [Statement] {
        let words = KeyWords(trip.id, localizer)
        return trip.keyClaims(at: state.now).compactMap { claim in
            let text = words.sentences(claim).joined(separator: " ")
            guard !text.isEmpty else { return nil }
            return Statement(.tokenUse, localizer(.viewToken), text, [], claim.evidence.map { basis($0) })
        }
    }

    /// The state of the server token, which lists the trips of the project.
    var serverToken: [Statement] {
        guard let token = state.project.token, let event = state.project.tokenEvent else { return [] }
        let story = view.story(of: token, TokenLife(token, now: view.serviceNow(token)), isOver: false).text
        return [Statement(.token, localizer(.serverTokenTitle), story, [], [basis(event)])]
    }

    private func statement(of fetch: TokenHistory.Entry, _ label: String) -> Statement {
        let evidence = fetch.event.map { [basis(EventStamp(number: $0, received: moment(fetch.time)))] } ?? []
        guard let failure = fetch.failure else {
            let end = fetch.end.map { localizer(.goodUntil(time: clock($0))) } ?? ""
            return Statement(.tokenFetch, label, localizer(.tokenReceived) + end, [], evidence)
        }
        var message = UserMessage(noToken: failure, journey: trip.id, localizer: localizer)
        if let fault = fetch.injected { message.explain(by: fault, localizer) }
        return Statement(.tokenFetch, label, message.what, [], evidence)
    }

    private func refusal(_ rejected: RejectedToken, _ label: String) -> Statement? {
        // The provider refuses a token that it has never used; that is part of the fetch.
        guard rejected.isRefused else { return nil }
        let evidence = (trip.tokenHistory.refusal?.evidence ?? []).map { basis($0) }
        return Statement(.tokenRefusal, label, TokenView(trip: view).words(rejected), [], evidence)
    }

    // MARK: Lists

    /// Returns sentences about findings, given by their places among the findings of the trip.
    func statements(ofFindings places: [Int]) -> [Statement] {
        places.map { place in
            let (finding, events) = (trip.findings[place], trip.findingEvents[place])
            return Statement(
                .finding,
                clock(finding.time),
                UserMessage(finding, localizer: localizer).what,
                [finding.rule.id],
                [events.poll.map { basis($0) }, basis(events.detection, .detection)].compactMap(\.self)
            )
        }
    }

    /// Returns the lines of an event log that have events, the newest first.
    func statements(of entries: some Collection<EventLog.Entry>) -> [Statement] {
        entries.reversed().filter { !$0.origins.isEmpty }
            .map { Statement(.log, clock($0.time), $0.text, [], $0.origins.map(basis)) }
    }

    /// The rows of the receipt: values with the events that showed them, counts with the first and the last event.
    var receipt: [Statement] {
        let events = trip.receiptEvents
        let all = [trip.shown?.firstPoll, events.lastAnswer].compactMap(\.self)
        return localizer.rows(of: trip.receipt, in: view.zone).map { row in
            let parts = row.parts.compactMap { events[$0] }
            return Statement(.receipt, row.label, row.value, [], (parts.isEmpty ? all : parts).map { basis($0) })
        }
    }

    private func clock(_ time: Date) -> String { view.zone.clock(time) }

    /// Returns a moment for a text that shows only its wall time.
    private func moment(_ time: Date) -> Moment { Moment(wall: time, steady: .zero) }
}
