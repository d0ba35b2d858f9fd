import Canvas
import FleetTokens
import TripFeed
import TripModel
import TripText

/// Draws the latest polls as a list, and the details of the chosen one.
struct LatestCalls {
    let trip: TripView
    /// The number of the chosen poll, from the newest.
    let chosen: Int

    private typealias Span = Canvas.Span
    private var localizer: Localizer { trip.localizer }
    private var glyphs: GlyphSet { trip.glyphs }
    private var calls: [PollStatistics.Call] { trip.trip.history.calls }

    func drawList(on canvas: inout Canvas, in rect: Rect) {
        let inner = canvas.frame(rect, title: localizer(.latestCalls)).inset(horizontal: 1, vertical: 0)
        var table = Table(columns: [
            Table.Column(title: localizer(.columnOverAt), width: max(8, trip.zone.clockWidth)),
            Table.Column(title: localizer(.columnStatus)),
            Table.Column(title: localizer(.callsBytes), width: 9, isRight: true),
            Table.Column(title: localizer(.columnTook), width: 8, isRight: true),
        ])
        table.rows = calls.map { call in
            [
                [Span(trip.zone.clock(call.time), .secondary)], [outcome(call)],
                [Span(call.bytes.map(localizer.bytes) ?? glyphs.unknown)],
                [Span(call.latency.map(localizer.latency) ?? glyphs.unknown)],
            ]
        }
        table.chosen = calls.isEmpty ? nil : chosen
        table.draw(on: &canvas, in: inner)
    }

    private func outcome(_ call: PollStatistics.Call) -> Span {
        guard let failure = call.failure else {
            return Span("\(glyphs.check) \(call.status?.label ?? localizer(.answer))", .positive)
        }
        return Span("\(glyphs.cross) \(call.status?.label ?? message(failure).short)", .critical)
    }

    private func message(_ failure: PollFailure) -> UserMessage {
        UserMessage(failure, trip: trip.trip.id, host: trip.state.settings.host, localizer: localizer)
    }

    func drawDetails(on canvas: inout Canvas, in rect: Rect) {
        guard calls.indices.contains(chosen), rect.height > 2 else { return }
        let call = calls[chosen]
        let inner = canvas.frame(rect, title: call.call.rawValue, note: trip.zone.clock(call.time))
            .inset(horizontal: 1, vertical: 0)
        var block = TextBlock(width: inner.width)
        var facts = [outcome(call)]
        if let latency = call.latency {
            facts.append(Span(localizer(.tookTime, ["duration": localizer.latency(latency)]), .text))
        }
        if let bytes = call.bytes { facts.append(Span(" \(glyphs.separator) \(localizer.bytes(bytes))", .secondary)) }
        block.add(facts)
        if let failure = call.failure {
            let sentence = message(failure)
            block.add(nil, sentence.what + localizer(.fullStop), .text)
            if let advice = sentence.remedy { block.add(nil, advice, .warning) }
        }
        if call.cacheAge > .zero {
            let words = localizer(.callFromCache, ["age": localizer.age(call.cacheAge)])
            block.add(Span(glyphs.attention, .warning), words, .warning)
        }
        if !call.leftOut.isEmpty {
            let parts = GuardedPart.allCases.filter(call.leftOut.contains).map { localizer(Self.name(of: $0)) }
            let words = localizer(.callLeftOut, ["parts": parts.joined(separator: localizer(.listComma))])
            block.add(nil, words, .secondary)
        }
        if chosen == 0 {
            block.add([])
            NetworkView(trip: trip).addRequest(to: &block)
        }
        block.draw(on: &canvas, in: inner, from: 0, localizer: localizer)
    }

    private static func name(of part: GuardedPart) -> StringKey {
        switch part {
        case .route: .partRoute
        case .traffic: .partTraffic
        case .waypointRoutes: .partWaypointRoutes
        }
    }
}
