import Canvas
import Failures
import FleetTokens
import Foundation
import Runtime
import TripModel
import TripText

extension TokenView {
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
    func add(_ verdict: TokenVerdict, _ answer: TokenSourceAnswer? = nil, to block: inout TextBlock) {
        for finding in verdict.findings where finding.verdict == .broken { add(finding, to: &block) }
        if let claims = verdict.claims { add(claims, to: &block) }
        if let answer {
            add(answer, to: &block)
            block.add([])
        }
        for finding in verdict.findings where finding.verdict == .doubtful { add(finding, to: &block) }
        for finding in verdict.findings where finding.verdict == .satisfied { add(finding, to: &block) }
        for finding in verdict.findings where finding.verdict == .unchecked { add(finding, to: &block) }
    }

    func add(_ answer: TokenSourceAnswer, to block: inout TextBlock) {
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

    func add(_ claims: TokenClaims, to block: inout TextBlock) {
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
        case .satisfied: (glyphs.check, .positive)
        case .broken: (glyphs.cross, .critical)
        case .doubtful: (glyphs.attention, .warning)
        case .unchecked: (glyphs.unknown, .secondary)
        }
    }

    func add(_ finding: TokenFinding, to block: inout TextBlock) {
        let (sign, role) = sign(finding.verdict)
        let text = Reporter.sanitized(trip.localizer(finding.sentence))
        block.add(Span(sign, role), text, finding.verdict == .broken ? .critical : .text)
        if let remedy = finding.remedy {
            block.add(nil, Reporter.sanitized(trip.localizer(remedy)), .warning, indent: 2)
        }
    }

    func drawFetches(on canvas: inout Canvas, in rect: Rect) {
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
        let hasPolls = inner.width >= 54
        if hasPolls {
            let title = localizer(.columnPolls)
            columns.append(Table.Column(title: title, width: max(5, TextWidth.of(title)), isRight: true))
        }
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
            if hasPolls {
                let sign = trip.trip.history.omitted == 0 ? "" : "+"
                cells.append([Span(entry.number == nil ? glyphs.unknown : "\(entry.polls)\(sign)")])
            }
            return cells
        }
        table.draw(on: &canvas, in: inner)
    }
}
