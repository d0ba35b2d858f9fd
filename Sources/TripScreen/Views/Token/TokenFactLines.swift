import Canvas
import FleetTokens
import Foundation
import Runtime
import TripModel
import TripText

/// The times of a token, and below them how often it was fetched and used.
///
/// A narrow panel has them in several lines; without room for these, the least important facts are omitted.
struct TokenFactLines {
    /// A fact; one with a higher rank is omitted first.
    private struct Fact {
        var spans: [Canvas.Span]
        var rank: Int

        var width: Int { spans.reduce(0) { $0 + TextWidth.of($1.text) } }
    }

    /// Each with a name.
    private var times: [Fact] = []
    /// The parts of a sentence.
    private var counts: [Fact] = []

    init(_ token: TokenStatus, _ view: TripView) {
        let localizer = view.localizer
        func add(_ name: Text, _ date: Date?, rank: Int) {
            guard let date else { return }
            let clock = view.zone.clock(date, now: view.now.wall)
            times.append(Fact(spans: [.init("\(localizer(name)) ", .secondary), .init(clock)], rank: rank))
        }
        add(.factIssued, token.issuedAt, rank: 7)
        add(.factRefresh, token.refreshAt, rank: 2)
        add(.factEnds, token.expiresAt, rank: 0)
        if token.lastError != nil, let retry = token.retryAt {
            // The token is fetched again after a failure: once the source may be asked, the next poll does it.
            if retry > view.serviceNow(token) {
                add(.factNextTry, retry, rank: 1)
            } else if view.trip.end == nil {
                times.append(Fact(spans: [.init(localizer(.factNextTryByPoll), .secondary)], rank: 1))
            }
        }

        func count(_ text: Text, rank: Int) {
            counts.append(Fact(spans: [.init(localizer(text), .secondary)], rank: rank))
        }
        count(.fetches(count: token.fetches), rank: 3)
        count(.tokenNumberAlso(number: String(token.generation)), rank: 6)
        if let polls = view.trip.tokenHistory.polls(with: token.generation) {
            let isWhole = view.trip.history.omitted == 0
            count(isWhole ? .tokenUsesAlso(count: polls) : .tokenUsesLeastAlso(number: String(polls)), rank: 4)
        }
        if let name = token.fingerprint {
            count(.fingerprintAlso(fingerprint: Reporter.sanitized(name, limit: 16)), rank: 8)
        }
        if let offset = token.clockOffset, abs(offset.seconds) >= 1 {
            let difference = localizer.span(.seconds(abs(offset.seconds)))
            count(
                offset > .zero ? .clockAheadAlso(difference: difference) : .clockBehindAlso(difference: difference),
                rank: 5
            )
        }
    }

    /// Returns the lines that fit; a word is never cut unless it alone is wider than the panel.
    func lines(width: Int, height: Int) -> [[Canvas.Span]] {
        guard width > 0, height > 0 else { return [] }
        var shown = self
        // A single line is for the times.
        if height == 1 { shown.counts = [] }
        var lines = shown.wrapped(to: width)
        while lines.count > height, shown.omitOne() { lines = shown.wrapped(to: width) }
        return lines
    }

    /// Omits the least important fact, but not the last one; returns whether there was one.
    private mutating func omitOne() -> Bool {
        guard times.count + counts.count > 1, let worst = (times + counts).map(\.rank).max() else { return false }
        times.removeAll { $0.rank == worst }
        counts.removeAll { $0.rank == worst }
        return true
    }

    private func wrapped(to width: Int) -> [[Canvas.Span]] {
        let gap = Canvas.Span("   ")
        var lines: [(spans: [Canvas.Span], width: Int)] = []
        for fact in times {
            if let line = lines.last, line.width + gap.text.count + fact.width <= width {
                lines[lines.count - 1] = (line.spans + [gap] + fact.spans, line.width + gap.text.count + fact.width)
            } else if fact.width > width, let words = fact.spans.first, fact.spans.count == 1 {
                lines += Printable.wrapped(words.text, to: width)
                    .map { ([Canvas.Span($0, words.role)], TextWidth.of($0)) }
            } else {
                lines.append((fact.spans, fact.width))
            }
        }
        guard !counts.isEmpty else { return lines.map(\.spans) }
        let sentence = counts.flatMap(\.spans).map(\.text).joined()
        return lines.map(\.spans) + Printable.wrapped(sentence, to: width).map { [Canvas.Span($0, .secondary)] }
    }
}
