import Canvas
import Failures
import FleetTokens
import Foundation
import Runtime
import TripModel
import TripText

/// Draws the details of a trip's token, without the token.
///
/// ```text
/// ╭ Token ────────────────────────────────────────────────╮
/// │ who talks to whom                                     │
/// │ Token 2 is good. The next one is fetched in 30 s. 0:43│
/// │ This app's token 2 is a key: it opens trip-7 and noth…│
/// │ ██████████████│████████████░░░░░░░░░░░░░░░░░░░        │
/// │ the tokens so far                                     │
/// ╭ Claims and verdict ────────────╮╭ Fetches ────────────╮
/// │                                │╭ Used by ────────────╮
/// ```
struct TokenView {
    let trip: TripView
    /// The number of rows above the first visible one.
    var scroll = 0

    typealias Span = Canvas.Span
    var localizer: Localizer { trip.localizer }
    var glyphs: GlyphSet { trip.glyphs }

    func draw(on canvas: inout Canvas, in rect: Rect) {
        let note = trip.trip.token.map { localizer(Talk.name(of: $0.source)) } ?? ""
        let server = ServerTokenPanel.height(trip.state, in: rect)
        let rows = rect.rows([.fixed(min(16, max(8, (rect.height - server) / 2 + 2))), .fixed(server), .flexible()])
        if let token = trip.state.project.token {
            ServerTokenPanel(view: trip, token: token).draw(on: &canvas, in: rows[1])
        }
        let state = canvas.frame(rows[0], title: localizer(.viewToken), note: note).inset(horizontal: 1, vertical: 0)
        guard let token = trip.trip.token else {
            canvas.putWrapped(trip.whyNoToken, in: state, role: .secondary)
            return
        }
        drawState(token, on: &canvas, in: state)
        guard rect.width >= 70 else {
            let parts = rows[2].rows([.flexible(), .fixed(min(8, rows[2].height / 3))])
            drawVerdict(on: &canvas, in: parts[0])
            return drawFetches(on: &canvas, in: parts[1])
        }
        let isLarge = rect.width >= ScreenLayout.large.width && rect.height >= ScreenLayout.large.height
        let right = isLarge ? rect.width * 11 / 20 : rect.width >= 120 ? 58 : rect.width >= 100 ? 50 : 32
        let columns = rows[2].columns([.flexible(), .fixed(right)])
        drawVerdict(on: &canvas, in: columns[0])
        guard isLarge else { return drawFetches(on: &canvas, in: columns[1]) }
        let parts = columns[1].rows([.fixed(rows[2].height / 3), .flexible()])
        drawFetches(on: &canvas, in: parts[0])
        CallTable(pollsWithTokenOf: trip).drawPolls(on: &canvas, in: parts[1])
    }

    // MARK: State and lifetime

    private func drawState(_ token: TokenStatus, on canvas: inout Canvas, in rect: Rect) {
        let life = TokenLife(token, now: trip.serviceNow(token))
        // The strip is below the view if it is shown in every view.
        let hasStrip = rect.height >= 8 && !trip.state.display.showsTalk
        let height = TalkStrip.height(rect.width)
        let hasTimeLine = rect.height >= 7 + (hasStrip ? height - 1 : 0)
        let gap = rect.height >= 11 + height ? 1 : 0
        let strip = hasStrip ? height + gap : 0
        let isOver = trip.trip.end != nil
        let story = trip.story(of: token, life, isOver: isOver, width: rect.width, hasRows: true)
        let sentence = Printable.wrapped(story.text, to: max(1, rect.width), limit: 3)
        // What is left after the sentence, the bar, the time line and a line of facts.
        let room = rect.height - strip - sentence.count - 1 - gap - (hasTimeLine ? TokenTimeLine.height : 0)
        let key = KeyStory(trip).lines(width: rect.width, limit: max(1, room - (gap > 0 ? 2 : 1)))
        let rows = rect.rows([
            .fixed(hasStrip ? TalkStrip.height(rect.width) : 0), .fixed(hasStrip ? gap : 0),
            .fixed(sentence.count), .fixed(key.count), .fixed(1), .fixed(gap),
            .fixed(hasTimeLine ? TokenTimeLine.height : 0), .flexible(),
        ])
        if hasStrip { TalkStrip(trip).draw(on: &canvas, in: rows[0]) }
        let left = life.left.map { localizer(.timeLeft(duration: localizer.watch(max(.zero, $0)))) } ?? ""
        for (row, line) in sentence.enumerated() { canvas.put(line, in: rows[2], row: row, role: story.role) }
        // The sentence says more than the figure.
        if TextWidth.of(story.text) + TextWidth.of(left) < rows[2].width {
            canvas.put(left, in: rows[2], align: .right, role: life.isLow && trip.trip.end == nil ? .warning : .text)
        }
        for (row, line) in key.enumerated() { canvas.put(line, in: rows[3], row: row) }
        trip.drawLife(life, on: &canvas, in: rows[4])
        if hasTimeLine {
            TokenTimeLine(history: trip.trip.tokenHistory, view: trip, now: trip.now.wall)
                .draw(on: &canvas, in: rows[6])
        }
        let facts = TokenFactLines(token, trip).lines(width: rows[7].width, height: rows[7].height)
        for (row, line) in facts.enumerated() { canvas.put(line, in: rows[7], row: row) }
    }

    // MARK: Claims

    private func drawVerdict(on canvas: inout Canvas, in rect: Rect) {
        let rejected = newlyRejected
        let verdict = rejected.map(TokenVerdict.init) ?? trip.trip.verdict
        let isRefused = rejected?.isRefused ?? false
        // A refused token breaks something, even if it is none of the known rules.
        let isGood = verdict?.broken == 0 && !isRefused
        let note =
            verdict.map { verdict in
                if verdict.broken > 0 { return localizer(.rulesBroken(count: verdict.broken)) }
                return localizer(isRefused ? .refusedByService : .noRuleBroken)
            } ?? ""
        let inner = canvas.frame(
            rect,
            title: localizer(rejected == nil ? .claimsTitle : .rejectedTitle),
            note: note,
            noteRole: isGood ? .positive : .critical
        ).inset(horizontal: 1, vertical: 0)
        var block = TextBlock(width: inner.width)
        if let token = trip.trip.token, let error = token.lastError {
            let failure = error.failure.with(History(hasAnswer: trip.trip.isKnown))
            let sentence = UserMessage(noToken: failure, token, journey: trip.trip.id, localizer: localizer)
            block.add(Span(glyphs.cross, .critical), sentence.what, .critical)
            if let advice = sentence.remedy { block.add(nil, advice, .warning, indent: 2) }
        }
        if let rejected {
            block.add(Span(glyphs.cross, .critical), words(rejected), .critical)
            if isRefused, rejected.injected == nil, let verdict, verdict.broken == 0 {
                addCauses(of: verdict, to: &block)
            }
            if let verdict { add(verdict, trip.trip.token?.lastAnswer, to: &block) }
        } else if let verdict {
            // Ages in the verdict refer to the time of the inspection.
            if let time = trip.trip.inspected {
                block.add([Span(localizer(.frozenAt(time: trip.zone.clock(time))), .secondary)])
            }
            add(verdict, trip.trip.token?.lastAnswer, to: &block)
        } else {
            block.add(nil, localizer(.noTokenInspected), .secondary)
            if let answer = trip.trip.token?.lastAnswer { add(answer, to: &block) }
        }
        if rejected == nil, let old = trip.trip.token?.lastRejected {
            block.add([])
            block.add([Span(localizer(.lastRejected), .heading)])
            block.add(Span(glyphs.cross, .critical), words(old), .warning)
            add(TokenVerdict(old), to: &block)
        }
        block.draw(on: &canvas, in: inner, from: scroll, localizer: localizer)
    }

    /// Adds what can make the service refuse a token that breaks no rule.
    private func addCauses(of verdict: TokenVerdict, to block: inout TextBlock) {
        guard let claims = verdict.claims else { return }
        let isChecked = verdict.findings.contains { $0.rule == .signature && $0.verdict == .satisfied }
        let causes = RefusalCauses(of: claims, isSignatureChecked: isChecked, localizer: localizer).sentences
        guard !causes.isEmpty else { return }
        block.add(nil, localizer(.refusedNoRule), .warning)
        for cause in causes { block.add(Span("–", .secondary), cause, .text) }
    }

    /// The rejected token, if no other token was stored since.
    private var newlyRejected: RejectedToken? {
        guard let rejected = trip.trip.token?.lastRejected else { return nil }
        return trip.trip.inspected.map { rejected.at >= $0 } ?? true ? rejected : nil
    }

    // MARK: Fetches
}

extension String {
    /// Returns the text padded with blanks to a number of columns, with at least one blank.
    func padding(_ columns: Int) -> String {
        self + String(repeating: " ", count: max(1, columns - TextWidth.of(self)))
    }
}

extension RejectedToken {
    /// Whether the service refused it, not the provider.
    var isRefused: Bool { if case .service = reason { true } else { false } }
}
