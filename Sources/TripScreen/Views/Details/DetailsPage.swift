import Canvas
import Runtime
import TripFeed
import TripModel
import TripText

/// Labelled texts about the shown trip, drawn over its view below the status.
struct DetailsPage {
    private let block: TextBlock
    private let area: Rect
    private let title: String
    /// The rows of evidence, among which a cursor moves; `nil` for a text that is scrolled.
    private let evidence: [Statement.Row]?
    private let localizer: Localizer

    /// Creates the panel; `nil` without a trip, or without what there is to show.
    init?(_ kind: Focus.Details, of state: State) {
        guard let trip = state.trip else { return nil }
        localizer = state.settings.localizer
        let name = trip.id.rawValue.sanitized(limit: 40)
        let rows: [FailureDetails.Row]
        evidence = Self.evidence(kind, of: state)
        switch kind {
        case .receipt:
            title = localizer(.receiptTitle(trip: name))
            rows = localizer.rows(of: trip.receipt, in: state.settings.zone).map {
                .init(label: $0.label, value: $0.value)
            }
        case .failure:
            guard let failed = trip.lastFailure else { return nil }
            title = localizer(.failureTitle(trip: name))
            let details = failed.poll.details(about: trip.id, state.settings)
            rows = details.rows(until: failed.end, now: state.now.wall)
        case .evidence, .receiptEvidence:
            guard let evidence, !evidence.isEmpty else { return nil }
            title = localizer(.evidenceTitle(trip: name))
            rows = evidence.map(\.text)
        case .call(let number):
            guard let call = state.call(number, of: trip) else { return nil }
            let words = CallWords(call, host: state.settings.host, localizer: localizer)
            title = words.name
            rows = words.rows(state.settings.zone, command: CallCommand.text(for: call.call), isWhole: true)
        }
        let body = state.layout.body
        // The status of the trip stays visible.
        let room = body.rows([.fixed(body.height > 8 ? 1 : 0), .flexible()])[1]
        // No words of the view stay visible beside it.
        let width = room.width <= Self.widest ? room.width : Self.widest
        block = TextBlock(rows, width: width - 4)
        area = room.centered(width: width, height: min(block.lines.count + 2, room.height))
    }

    private static let widest = 140

    /// The first visible row at the end, or the last place of the cursor.
    var lastRow: Int {
        evidence == nil ? max(0, block.lines.count - max(0, area.height - 2)) : max(0, block.lines.count - 1)
    }

    /// Returns the number of the call to which the evidence leads at the cursor; `nil` if it leads to none.
    func call(at cursor: Int) -> Int? {
        guard let evidence, !block.rows.isEmpty else { return nil }
        return evidence[block.rows[min(cursor, lastRow)]].call
    }

    /// Draws the rows from `first` on, or those around the cursor.
    func draw(on canvas: inout Canvas, from first: Int) {
        canvas.fill(Rect(x: canvas.bounds.x, y: area.y, width: canvas.bounds.width, height: area.height))
        let note = call(at: first) == nil ? "" : localizer(.claimOpen)
        let inner = canvas.frame(area, title: title, note: note, role: .focusedBorder).inset(horizontal: 1, vertical: 0)
        guard evidence != nil, !inner.isEmpty else {
            return block.draw(on: &canvas, in: inner, from: first, localizer: localizer)
        }
        // There may be fewer rows than when the cursor was moved.
        let cursor = min(first, lastRow)
        let start = max(0, min(cursor - inner.height / 2, block.lines.count - inner.height))
        block.draw(on: &canvas, in: inner, from: start, localizer: localizer)
        canvas.recolor(inner.row(cursor - start), role: .selection)
    }

    private static func evidence(_ kind: Focus.Details, of state: State) -> [Statement.Row]? {
        guard kind == .evidence || kind == .receiptEvidence, let trip = state.trip else { return nil }
        let evidence = Evidence(view: TripView(state: state, trip: trip))
        let statements = kind == .evidence ? state.panels[state.view].statements(of: evidence) : evidence.receipt
        // A view without sentences of its own, such as Findings without findings, shows the evidence of the trip.
        return (statements.isEmpty ? evidence.ofTrip : statements).flatMap {
            $0.rows(state.settings.zone, state.settings.localizer)
        }
    }
}
