import Canvas
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// Draws what driver, server and rider know about a trip side by side, and below it the errors and the differences.
struct SidesView {
    let trip: TripView
    /// The number of rows above the first visible one.
    var scroll = 0

    private typealias Span = Canvas.Span
    private var localizer: Localizer { trip.localizer }
    private var sides: TripSides { trip.trip.sides ?? TripSides(id: trip.trip.id) }

    /// The width from which on there is room for three columns.
    private static let tableWidth = 72
    /// The width of the names of the rows.
    private static let nameWidth = 11

    func draw(on canvas: inout Canvas, in rect: Rect) {
        let inner = canvas.frame(rect, title: localizer(.viewSides)).inset(horizontal: 1, vertical: 0)
        var block = TextBlock(width: inner.width)
        guard inner.width >= Self.tableWidth, inner.height >= 16 else {
            for side in TripSide.allCases { addLine(of: side, to: &block) }
            addRefusals(to: &block)
            return block.draw(
                on: &canvas,
                in: inner,
                from: scroll,
                localizer: localizer
            )
        }
        var table = Table(
            columns: [Table.Column(title: "", width: Self.nameWidth)]
                + TripSide.allCases.map {
                    Table.Column(title: localizer.name(of: $0, in: sides.id.kind), isMarked: true)
                }
        )
        table.rows = rows
        let parts = inner.rows([.fixed(table.rows.count + 2), .flexible()])
        table.draw(on: &canvas, in: parts[0])
        addRefusals(to: &block)
        block.draw(on: &canvas, in: parts[1], from: scroll, localizer: localizer)
    }

    // MARK: Table

    private var rows: [[[Span]]] {
        let differing = Set(sides.differences.filter(\.isFault).map(\.kind))
        func row(
            _ name: Text,
            differs kinds: Set<SideDifference.Kind> = [],
            _ value: (SideReport) -> Span?
        ) -> [[Span]] {
            let isDifferent = !differing.isDisjoint(with: kinds)
            let cells = TripSide.allCases.map { side -> [Span] in
                guard var span = sides.reports[side].flatMap(value) else { return [Span("–", .secondary)] }
                if isDifferent, span.role == .text { span.role = .warning }
                return [span]
            }
            return [[Span(localizer(name), .secondary)]] + cells
        }
        let calls = TripSide.allCases.map { side -> [Span] in
            guard let report = sides.reports[side], !report.method.isEmpty else {
                return [Span(localizer(.sideNothing(call: Self.call(of: side))), .secondary)]
            }
            return [Span(report.method, .text)]
        }
        return [
            [[Span(localizer(.sideCall), .secondary)]] + calls,
            // The status of a trip changes seldom, so that an old call of the server is normal.
            row(.sideReceived) { report in
                guard !report.method.isEmpty else { return nil }
                return report == sides.reports[.server] ? Span(time(report.time).text, .text) : time(report.time)
            },
            row(.columnStatus, differs: [.status]) { $0.status.map { text($0.name) } },
            row(.vehicle, differs: [.vehicle]) { $0.vehicle.map { text($0.rawValue) } },
            row(.sideNavigation) { $0.navigation.map { text($0) } },
            row(.position, differs: [.positionOlder, .positionApart]) {
                ($0.location?.coordinate).map { text(localizer.position($0)) }
            },
            row(.sideMeasured, differs: [.positionOlder]) { ($0.location?.measuredTime ?? $0.locationTime).map(time) },
            row(.moves) { report in
                let parts = [
                    report.location?.heading.map(localizer.heading), report.location?.speed.map { localizer.speed($0) },
                ]
                let words = parts.compactMap(\.self).joined(separator: " ")
                return words.isEmpty ? nil : Span(words, .text)
            },
            row(.distance, differs: [.waypoints]) { report in
                let parts = [
                    report.distance.map(localizer.distance),
                    report.waypointsLeft.map { localizer(.waypoints(count: $0)) },
                ]
                let words = parts.compactMap(\.self).joined(separator: localizer(.listComma))
                return words.isEmpty ? nil : Span(words, .text)
            },
            row(.arrival, differs: [.arrival]) { report in
                report.arrival.map { Span(trip.zone.clock($0, now: trip.now.wall), .text) }
            },
        ]
    }

    private func text(_ value: String) -> Span { Span(Reporter.sanitized(value, limit: 64), .text) }

    /// A time of day with its age, highlighted if it is old.
    private func time(_ time: Date) -> Span {
        let age = Duration.seconds(trip.now.wall.timeIntervalSince(time))
        let isOld = age > PositionAge.staleAfter && trip.trip.state.journey?.status.isTerminal != true
        return Span(
            "\(trip.zone.clock(time)), \(localizer(.positionOld(age: localizer.age(age))))",
            isOld ? .stale : .text
        )
    }

    /// The call whose answers are the view of a side.
    private static func call(of side: TripSide) -> String {
        switch side {
        case .driver: "UpdateVehicle"
        case .server: "UpdateTrip"
        case .rider: "GetTrip"
        }
    }

    // MARK: Text

    private func addLine(of side: TripSide, to block: inout TextBlock) {
        guard let report = sides.reports[side] else {
            return block.add(
                nil,
                "\(localizer.name(of: side, in: sides.id.kind)): \(localizer(.sideNothing(call: Self.call(of: side))))",
                .secondary
            )
        }
        let age = localizer(
            .positionOld(age: localizer.age(.seconds(trip.now.wall.timeIntervalSince(report.time))))
        )
        block.add(nil, "\(localizer.line(of: report, side: side, in: sides.id.kind, zone: trip.zone)) (\(age))")
    }

    private func addRefusals(to block: inout TextBlock) {
        let glyphs = trip.glyphs
        for side in TripSide.allCases {
            guard let refused = sides.errors[side] else { continue }
            let message = UserMessage(refused, side: side, journey: sides.id, localizer: localizer)
            let age = localizer(
                .positionOld(age: localizer.age(.seconds(trip.now.wall.timeIntervalSince(refused.time))))
            )
            block.add(Span(glyphs.cross, .critical), "\(message.what) (\(age))", .critical)
            if let advice = message.remedy { block.add(nil, advice, .secondary, indent: 2) }
        }
        for difference in sides.differences {
            let isFault = difference.isFault
            let sign = Span(isFault ? glyphs.attention : glyphs.bullet, isFault ? .warning : .accent)
            block.add(sign, localizer.sentence(of: difference) + localizer(.fullStop))
        }
        guard let summary = SidesSummary(sides) else { return }
        let role: Role = summary == .agreeing ? .positive : .secondary
        block.add(Span(summary == .agreeing ? glyphs.check : glyphs.bullet, role), localizer(summary.text), role)
    }
}
