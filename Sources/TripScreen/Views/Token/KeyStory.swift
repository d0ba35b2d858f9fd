import Canvas
import FleetTokens
import Runtime
import TripFeed
import TripText

/// What may be said about the tokens of a trip, as sentences in a number of lines.
///
/// Where not all fit, they have their short form if more of them fit then, and the last ones are left out.
struct KeyStory {
    /// The claims, the most important first.
    private let claims: [KeyClaim]
    private let words: KeyWords

    init(_ view: TripView) {
        claims = view.trip.keyClaims(at: view.now)
        words = KeyWords(view.trip.id, view.localizer)
    }

    /// Returns the lines.
    func lines(width: Int, limit: Int) -> [String] {
        guard width > 0, limit > 0 else { return [] }
        let (long, short) = (fitting(width, limit, isShort: false), fitting(width, limit, isShort: true))
        return short.count > long.count ? short.lines : long.lines
    }

    /// Returns the lines of as many claims as fit, and their number.
    private func fitting(_ width: Int, _ limit: Int, isShort: Bool) -> (lines: [String], count: Int) {
        var found: (lines: [String], count: Int) = ([], 0)
        var text = ""
        for (index, claim) in claims.enumerated() {
            let sentences = words.sentences(claim, isShort: isShort)
            for sentence in sentences { text += (Self.needsSpace(after: text) ? " " : "") + sentence }
            guard !text.isEmpty else { continue }
            let lines = Printable.wrapped(text, to: width, limit: limit + 1)
            guard lines.count <= limit else { break }
            found = (lines, index + 1)
        }
        return found
    }

    /// Whether the next sentence begins after a space: a Chinese full stop has its space in itself.
    private static func needsSpace(after text: String) -> Bool { !text.isEmpty && !text.hasSuffix("。") }
}

extension FollowedTrip {
    /// Returns what may be said about its tokens.
    func keyClaims(at now: Moment) -> [KeyClaim] {
        let number = token?.generation ?? 0
        let scope = number > 0 ? verdict?.claims.flatMap { KeyScope($0, of: id) } : nil
        let stored = tokenHistory.entries.last { $0.number == number }
        let stamp = stored.flatMap { entry in
            entry.event.map { EventStamp(number: $0, received: Moment(wall: entry.time, steady: .zero)) }
        }
        return KeyClaim.all(
            of: keys,
            scope: scope.map { (number, $0, stamp) },
            interval: schedule?.interval ?? .zero,
            at: now
        )
    }
}
