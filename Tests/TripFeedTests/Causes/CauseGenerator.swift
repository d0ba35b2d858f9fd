import Failures
import Runtime

/// Makes failures whose causes are known, with the answers of widespread software.
struct CauseGenerator {
    private var random: SeededGenerator
    private let filler: Filler

    init(seed: UInt64, filler: Filler) {
        (random, self.filler) = (SeededGenerator(seed: seed), filler)
    }

    /// Returns the next failure; two of five are ordinary answers.
    mutating func next() -> InjectedCause {
        let kind = number(20)
        guard kind >= 8 else { return ordinary() }
        guard kind < 19 else { return machine() }
        var cause =
            switch kind {
            case 8..<12: gateway()
            case 12..<15: network()
            case 15, 16: endpoint()
            default: service()
            }
        cause.hasWorked = isLikely()
        return cause
    }

    mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    mutating func isLikely() -> Bool { number(2) == 0 }

    mutating func pick<Element>(_ list: [Element]) -> Element { list[number(list.count)] }

    mutating func sentence() -> String { pick(filler.sentences) }

    mutating func text(_ count: Int) -> String { (0..<count).map { _ in sentence() }.joined(separator: " ") }

    /// A word without a meaning.
    mutating func word() -> String {
        (0..<number(3) + 2).map { _ in pick(["ka", "lo", "mir", "ten", "us", "vel", "or", "bi", "sha", "nu"]) }.joined()
    }

    mutating func hex(_ count: Int) -> String {
        (0..<count).map { _ in pick(Array("0123456789abcdef")) }.map(String.init).joined()
    }

    mutating func digits(_ count: Int) -> String {
        (0..<count).map { _ in pick(Array("123456789")) }.map(String.init).joined()
    }

    /// Returns a failure with a page of HTML.
    func page(
        _ name: String,
        _ place: Place,
        _ parties: Set<Party>,
        _ status: Int,
        _ headers: [(name: String, value: String)],
        title: String,
        _ content: String
    ) -> InjectedCause {
        var cause = InjectedCause(name, place, parties)
        cause.status = status
        cause.headers = [("content-type", "text/html; charset=utf-8")] + headers
        cause.body = "<!DOCTYPE html><html><head><title>\(title)</title></head><body>\(content)</body></html>"
        return cause
    }

    /// Returns a failure with JSON.
    func json(
        _ name: String,
        _ place: Place,
        _ parties: Set<Party>,
        _ status: Int,
        _ headers: [(name: String, value: String)],
        _ body: String
    ) -> InjectedCause {
        var cause = InjectedCause(name, place, parties)
        (cause.status, cause.body) = (status, body)
        cause.headers = [("content-type", "application/json")] + headers
        return cause
    }

    /// Returns a failure with plain text.
    func plain(
        _ name: String,
        _ place: Place,
        _ parties: Set<Party>,
        _ status: Int,
        _ headers: [(name: String, value: String)],
        _ body: String
    ) -> InjectedCause {
        var cause = InjectedCause(name, place, parties)
        (cause.status, cause.body) = (status, body)
        cause.headers = [("content-type", "text/plain")] + headers
        return cause
    }

    /// Returns a failure with a redirect.
    func redirect(
        _ name: String,
        _ place: Place,
        _ parties: Set<Party>,
        _ status: Int,
        to target: String
    )
        -> InjectedCause
    {
        var cause = InjectedCause(name, place, parties)
        (cause.status, cause.headers) = (status, [("location", target)])
        return cause
    }

    /// Returns a failure without a complete answer.
    func ended(_ name: String, _ place: Place, _ parties: Set<Party>, _ ending: Failure) -> InjectedCause {
        var cause = InjectedCause(name, place, parties)
        cause.ending = ending
        return cause
    }
}
