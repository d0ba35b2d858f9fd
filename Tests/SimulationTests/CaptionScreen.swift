import FleetEmulator
import FleetTokens
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

@testable import TripScreen
@testable import tripshare

/// A screen that compares each caption with what it shows at the same time.
struct CaptionScreen: Sendable {
    let speed: Double
    private var state: State
    private var gate: CaptionGate
    private var table = JourneyTable()
    private let texts: [String: SceneCaption]
    private let begin: Moment
    /// The captions that were false, with their time.
    private(set) var broken: [String] = []
    /// All captions.
    private(set) var captions: Set<String> = []
    /// The events that were told.
    private(set) var reported: Set<String> = []
    /// How long the sentences for the audience stood.
    private(set) var times: CaptionTimes

    init(_ scenario: Scenario, at now: Moment, speed: Double) {
        (self.speed, begin) = (speed, now)
        gate = CaptionGate(scenario.journeys)
        times = CaptionTimes(speed: speed)
        state = State(
            trips: scenario.journeys,
            settings: State.Settings(host: "engine.test", speed: speed, isPresenter: true),
            now: now,
            width: 120,
            height: 40
        )
        // Captions about tokens appear only where the token is shown.
        _ = state.update(.key(.character("W")))
        let own = scenario.drivers.flatMap(\.steps).compactMap {
            if case .caption(let caption) = $0 { caption } else { nil }
        }
        let reported = scenario.events.compactMap {
            if case .caption(let caption) = $0.action { caption } else { nil }
        }
        texts = Dictionary((own + reported).map { ($0.text, $0) }) { one, _ in one }
    }

    mutating func handle(_ caption: SceneCaption, at now: Moment) {
        tick(now)
        if gate.handle(caption, at: now) { _ = state.update(.caption(gate.caption?.text ?? "")) }
        judge(now)
    }

    mutating func handle(_ event: FeedEvent, at now: Moment) {
        tick(now)
        _ = state.update(.feed(event))
        _ = table.apply(event, at: now)
        if gate.handle(event, table, at: now) { _ = state.update(.caption(gate.caption?.text ?? "")) }
        judge(now)
    }

    mutating func handle(_ event: TokenEvent) {
        tick(event.at)
        _ = state.update(.token(event))
        judge(event.at)
    }

    /// Advances as the screen does by itself.
    private mutating func tick(_ now: Moment) {
        while let wait = state.nextTick(after: state.now, glides: false), state.now.steady + wait < now.steady {
            _ = state.update(.tick(state.now.advanced(by: wait)))
            judge(state.now)
        }
        _ = state.update(.tick(now))
        if gate.advance(to: now) { _ = state.update(.caption(gate.caption?.text ?? "")) }
    }

    private mutating func judge(_ now: Moment) {
        let second = (now.steady - begin.steady).seconds
        times.show(state.isFrozen ? nil : state.audienceCaption, at: second)
        let text = state.caption
        guard !text.isEmpty else { return }
        captions.insert(text)
        if let fault = fault(text) {
            broken.append("\(Int(second)) s, \(state.trip?.state.journey?.status.name ?? "unknown"): \(text) \(fault)")
        }
    }

    /// Returns why a caption is not true now; `nil` if it is.
    private mutating func fault(_ text: String) -> String? {
        guard let trip = state.trip else { return "without a trip" }
        if let line = state.storyLine {
            reported.insert("\(line.event)\(line.isOver ? " over" : "")")
            return fault(line, trip)
        }
        if text == StatusWords(trip.state).text { return nil }
        guard let caption = texts[text] else { return "is no caption of the scenario" }
        let conditions = caption.validity.conditions
        if conditions.checks.contains(where: { $0.measure == "vehicle" }), trip.state.journey?.vehicleID == nil {
            return "is about a driver, while the large words wait for one"
        }
        let statuses = conditions.statuses
        guard let status = trip.state.journey?.status else { return statuses.isEmpty ? nil : "without a status" }
        return statuses.isEmpty || statuses.contains(status) ? nil : "is about another status"
    }

    private func fault(_ line: RideStory.Line, _ trip: FollowedTrip) -> String? {
        if state.caption.contains("is used until"), let end = trip.token?.expiresAt, end <= state.now.wall {
            return "after its expiry"
        }
        switch (line.event, line.isOver) {
        case (.rejection, false), (.noToken, false):
            return trip.token?.lastError != nil || trip.token?.state == .invalidated
                || trip.token?.state == .fetching
                ? nil : "while the token is \(trip.token.map { "\($0.state)" } ?? "absent")"
        case (.rejection, true), (.noToken, true), (.newToken, _):
            guard let token = trip.token, token.state != .closed else { return nil }
            return token.generation >= line.token ? nil : "while there is another token"
        case (.jam, let isOver):
            return (trip.map.traffic == .jam) != isOver ? nil : "while the map says the opposite"
        case (.silence, let isOver):
            let age = PositionAge(of: trip, at: state.now)
            return (age?.reason == .driverSilent) != isOver ? nil : "while the position says the opposite"
        case (.standstill, let isOver):
            let speed = trip.state.journey?.lastLocation?.speed ?? 0
            return (speed < 0.5) != isOver ? nil : "while the speed is \(speed)"
        case (.detour, _), (.newRoute, _):
            return trip.state.journey?.status == .trip(.enrouteToDropoff)
                || trip.state.journey?.status == .trip(.enrouteToPickup)
                ? nil : "while the vehicle does not drive"
        }
    }
}
