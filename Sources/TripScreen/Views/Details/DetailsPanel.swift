import Canvas
import Runtime
import TripFeed
import TripModel
import TripText

/// Labelled texts about the shown trip, drawn over its view below the status.
struct DetailsPanel {
    private let block: TextBlock
    private let area: Rect
    private let title: String
    private let localizer: Localizer

    /// Creates the panel; `nil` without a trip, or without what there is to show.
    init?(_ kind: Focus.Details, of state: State) {
        guard let trip = state.trip else { return nil }
        localizer = state.settings.localizer
        let name = trip.id.rawValue.sanitized(limit: 40)
        let rows: [FailureDetails.Row]
        switch kind {
        case .receipt:
            title = localizer(.receiptTitle(trip: name))
            rows = localizer.rows(of: trip.receipt, in: state.settings.zone).map {
                .init(label: $0.label, value: $0.value)
            }
        case .failure:
            guard let failed = trip.lastFailure else { return nil }
            title = localizer(.failureTitle(trip: name))
            let details = FailureDetails(
                failed.failure,
                trip.token,
                journey: trip.id,
                host: state.settings.host,
                zone: state.settings.zone,
                localizer: localizer
            )
            rows = details.rows(until: failed.end, now: state.now.wall)
        case .evidence:
            title = localizer(.evidenceTitle(trip: name))
            rows = ClaimWords(trip.claims(at: state.now), state.settings.zone, localizer)
                .rows(at: trip.state.serviceTime(state.now), poll: trip.answering, trip.shown)
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

    /// The first visible row at the end.
    var lastRow: Int { max(0, block.lines.count - max(0, area.height - 2)) }

    /// Draws the rows from `first` on.
    func draw(on canvas: inout Canvas, from first: Int) {
        canvas.fill(Rect(x: canvas.bounds.x, y: area.y, width: canvas.bounds.width, height: area.height))
        let inner = canvas.frame(area, title: title, role: .focusedBorder).inset(horizontal: 1, vertical: 0)
        block.draw(on: &canvas, in: inner, from: first, localizer: localizer)
    }
}
