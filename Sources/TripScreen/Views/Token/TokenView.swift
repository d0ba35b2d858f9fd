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
/// │ ██████████████│████████████░░░░░░░░░░░░░░░░░░░        │
/// │ the tokens so far                                     │
/// ╭ Claims and verdict ────────────╮╭ Fetches ────────────╮
/// ```
struct TokenView {
    let trip: TripView
    /// The number of rows above the first visible one.
    var scroll = 0

    private typealias Span = Canvas.Span
    private var localizer: Localizer { trip.localizer }
    private var glyphs: GlyphSet { trip.glyphs }

    func draw(on canvas: inout Canvas, in rect: Rect) {
        let note = trip.trip.token.map { localizer(Talk.name(of: $0.source)) } ?? ""
        let server = ServerTokenPanel.height(trip.state, in: rect)
        let rows = rect.rows([.fixed(min(14, max(7, (rect.height - server) / 2))), .fixed(server), .flexible()])
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
        let isWide = rect.width >= 100
        let columns = rows[2].columns([.flexible(), .fixed(isWide ? 50 : 32)])
        drawVerdict(on: &canvas, in: columns[0])
        drawFetches(on: &canvas, in: columns[1])
    }

    // MARK: State and lifetime

    private func drawState(_ token: TokenStatus, on canvas: inout Canvas, in rect: Rect) {
        let life = TokenLife(token, now: trip.serviceNow(token))
        // The strip is below the view if it is shown in every view.
        let hasStrip = rect.height >= 8 && !trip.state.display.showsTalk
        let hasTimeLine = rect.height >= 6
        let gap = rect.height >= 11 ? 1 : 0
        let rows = rect.rows([
            .fixed(hasStrip ? TalkStrip.height(rect.width) : 0), .fixed(hasStrip ? gap : 0), .fixed(1), .fixed(1),
            .fixed(gap), .fixed(hasTimeLine ? TokenTimeLine.height : 0), .flexible(),
        ])
        if hasStrip { TalkStrip(trip).draw(on: &canvas, in: rows[0]) }
        let left = life.left.map { localizer(.timeLeft(duration: localizer.watch(max(.zero, $0)))) } ?? ""
        let story = trip.story(of: token, life, isOver: trip.trip.end != nil)
        canvas.put([story], in: rows[2])
        // The sentence says more than the figure.
        if TextWidth.of(story.text) + TextWidth.of(left) < rows[2].width {
            canvas.put(left, in: rows[2], align: .right, role: life.isLow && trip.trip.end == nil ? .warning : .text)
        }
        trip.drawLife(life, on: &canvas, in: rows[3])
        if hasTimeLine {
            TokenTimeLine(trip.trip.tokenHistory, trip, now: trip.now.wall).draw(on: &canvas, in: rows[5])
        }
        for (row, line) in facts(token).enumerated() { canvas.put(line, in: rows[6], row: row) }
    }

    private func facts(_ token: TokenStatus) -> [[Span]] {
        let now = trip.now.wall
        func clock(_ name: Text, _ date: Date?) -> [Span] {
            date.map { [Span("\(localizer(name)) ", .secondary), Span("\(trip.zone.clock($0, now: now))   ")] } ?? []
        }
        var lines = [
            clock(.factIssued, token.issuedAt) + clock(.factRefresh, token.refreshAt)
                + clock(.factEnds, token.expiresAt)
                + nextTry(token, clock)
        ]
        var counts =
            localizer(.fetches(count: token.fetches)) + localizer(.tokenNumberAlso(number: String(token.generation)))
        if let name = token.fingerprint {
            counts += localizer(.fingerprintAlso(fingerprint: Reporter.sanitized(name, limit: 16)))
        }
        if let offset = token.clockOffset, abs(offset.seconds) >= 1 {
            let difference = localizer.span(.seconds(abs(offset.seconds)))
            counts += localizer(
                offset > .zero ? .clockAheadAlso(difference: difference) : .clockBehindAlso(difference: difference)
            )
        }
        lines.append([Span(counts, .secondary)])
        return lines
    }

    /// Returns when the token is fetched again after a failure: once the source may be asked, the next poll does it.
    private func nextTry(_ token: TokenStatus, _ clock: (Text, Date?) -> [Span]) -> [Span] {
        guard token.lastError != nil, let retry = token.retryAt else { return [] }
        if retry > trip.serviceNow(token) { return clock(.factNextTry, retry) }
        return trip.trip.end == nil ? [Span(localizer(.factNextTryByPoll), .secondary)] : []
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
            block.add(nil, localizer(.noTokenLookedAt), .secondary)
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
        let isChecked = verdict.findings.contains { $0.rule == .signature && $0.verdict == .kept }
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

    /// Returns who rejected the token, when and why.
    func words(_ rejected: RejectedToken) -> String {
        let time = trip.zone.clock(rejected.at)
        let words =
            switch rejected.reason {
            case .fault(let fault):
                localizer(.rejectedUnused(time: time, reason: UserMessage(fault, localizer: localizer).what))
            case .service(let status): localizer(.rejectedByService(status: status.label, time: time))
            }
        return words + localizer.remark(about: rejected.injected)
    }

    /// Adds the claims, the endpoint's answer and the results of the rules; problems come first.
    private func add(_ verdict: TokenVerdict, _ answer: TokenSourceAnswer? = nil, to block: inout TextBlock) {
        for finding in verdict.findings where finding.verdict == .broken { add(finding, to: &block) }
        if let claims = verdict.claims { add(claims, to: &block) }
        if let answer {
            add(answer, to: &block)
            block.add([])
        }
        for finding in verdict.findings where finding.verdict == .doubtful { add(finding, to: &block) }
        for finding in verdict.findings where finding.verdict == .kept { add(finding, to: &block) }
        for finding in verdict.findings where finding.verdict == .unchecked { add(finding, to: &block) }
    }

    private func add(_ answer: TokenSourceAnswer, to block: inout TextBlock) {
        block.add([])
        block.add([Span(localizer(.endpointAnswer), .heading)])
        let isGood = (200...299).contains(answer.status)
        let size = answer.bytes == 0 ? localizer(.endpointBodyEmpty) : localizer.bytes(answer.bytes)
        block.add([
            Span("HTTP \(answer.status)", isGood ? .positive : .critical),
            Span(" \(glyphs.separator) \(size)", .secondary),
        ])
        for header in answer.headers {
            let name = Reporter.sanitized(header.name, limit: 40)
            block.add(Span("\(name): ", .secondary), Reporter.sanitized(header.value, limit: 200))
        }
        if !answer.body.isEmpty { block.add(nil, Reporter.sanitized(answer.body, limit: 1000), .text) }
    }

    private func add(_ claims: TokenClaims, to block: inout TextBlock) {
        if !block.lines.isEmpty { block.add([]) }
        func add(_ name: String, _ value: String?) {
            guard let value else { return }
            block.add(Span(name.padding(9), .secondary), Reporter.sanitized(value, limit: 120))
        }
        add("alg", claims.algorithm)
        add("kid", claims.keyID)
        add("iss", claims.issuer)
        if claims.subject != claims.issuer { add("sub", claims.subject) }
        add("aud", claims.audiences.isEmpty ? nil : claims.audiences.joined(separator: ", "))
        add("iat", claims.issuedAt.map { trip.zone.clock($0, now: trip.now.wall) })
        add("exp", claims.expiresAt.map { trip.zone.clock($0, now: trip.now.wall) })
        add("tripid", claims.tripID)
        add("vehicleid", claims.vehicleID)
        for name in claims.misspelled.values.sorted() { add("?", name) }
        block.add([])
    }

    private func sign(_ verdict: TokenFinding.Verdict) -> (String, Role) {
        switch verdict {
        case .kept: (glyphs.check, .positive)
        case .broken: (glyphs.cross, .critical)
        case .doubtful: (glyphs.attention, .warning)
        case .unchecked: (glyphs.unknown, .secondary)
        }
    }

    private func add(_ finding: TokenFinding, to block: inout TextBlock) {
        let (sign, role) = sign(finding.verdict)
        let text = Reporter.sanitized(trip.localizer(finding.sentence))
        block.add(Span(sign, role), text, finding.verdict == .broken ? .critical : .text)
        if let remedy = finding.remedy {
            block.add(nil, Reporter.sanitized(trip.localizer(remedy)), .warning, indent: 2)
        }
    }

    // MARK: Fetches

    private func drawFetches(on canvas: inout Canvas, in rect: Rect) {
        let history = trip.trip.tokenHistory
        let note = history.maximum.map { localizer(.slowest(duration: localizer.latency($0))) } ?? ""
        let inner = canvas.frame(rect, title: localizer(.fetchesTitle), note: note).inset(horizontal: 1, vertical: 0)
        guard !history.entries.isEmpty else {
            canvas.put(localizer(.noneOverYet), in: inner, role: .secondary)
            return
        }
        let isWide = inner.width >= 40
        var columns = [
            Table.Column(title: localizer(.columnOverAt), width: trip.zone.clockWidth),
            Table.Column(title: localizer(.columnGoodUntil)),
        ]
        let reasons = FetchReason.allCases.map { TextWidth.of(localizer(CallWords.phrase($0))) }
        if isWide { columns.append(Table.Column(title: localizer(.columnWhy), width: reasons.max())) }
        columns.append(Table.Column(title: localizer(.columnTook), width: 7, isRight: true))
        var table = Table(columns: columns)
        table.rows = history.entries.reversed().map { entry in
            var cells: [[Span]] = [[Span(trip.zone.clock(entry.time), .secondary)]]
            if let failure = entry.failure {
                var sentence = UserMessage(noToken: failure, journey: trip.trip.id, localizer: localizer)
                if let fault = entry.injected { sentence.explain(by: fault, localizer) }
                cells.append([Span("\(glyphs.cross) \(sentence.short)", .critical)])
            } else {
                let end = entry.end.map { "\(glyphs.check) \(trip.zone.clock($0, now: entry.time))" }
                cells.append([Span(end ?? "\(glyphs.check) \(localizer(.stored))", .positive)])
            }
            if isWide { cells.append([Span(entry.reason.map { localizer(CallWords.phrase($0)) } ?? "", .text)]) }
            cells.append([Span(entry.duration.map(localizer.latency) ?? glyphs.unknown)])
            return cells
        }
        table.draw(on: &canvas, in: inner)
    }
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
