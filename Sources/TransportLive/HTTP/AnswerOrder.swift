package import Failures

/// Validates the order of an answer's parts: informational heads, one final head, the body, the end.
///
/// The HTTP library assumes this order and a status of at least 100, and traps otherwise; ``HTTP1AnswerGuard`` and
/// ``HTTP2AnswerGuard`` name the faults and the tests.
package struct AnswerOrder {
    /// The maximum number of informational heads per answer; real servers send one or two.
    static let mostInformationalHeads = 100

    private enum State {
        case beforeHead(informational: Int)
        case body
        case refused
    }

    private var state = State.beforeHead(informational: 0)

    /// Expects a head.
    package init() {}

    /// Whether an answer was refused; everything after it must be dropped.
    var isRefused: Bool {
        if case .refused = state { true } else { false }
    }

    /// Checks a head; `isInformational` is true if another head follows.
    package mutating func head(status: String, isInformational: Bool) throws(Failure) {
        guard case .beforeHead(let count) = state else { throw refuse("a second head within an answer") }
        guard status.utf8.count == 3, status.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !status.hasPrefix("0")
        else {
            throw refuse("status \(Self.shown(status))")
        }
        guard isInformational else {
            state = .body
            return
        }
        guard count < Self.mostInformationalHeads else {
            throw refuse("more than \(Self.mostInformationalHeads) informational answers")
        }
        state = .beforeHead(informational: count + 1)
    }

    /// Checks a part of the body.
    mutating func bodyPart() throws(Failure) {
        guard case .body = state else { throw refuse("a body without a head") }
    }

    /// Checks the end of an answer; another answer may follow.
    mutating func end() throws(Failure) {
        guard case .body = state else { throw refuse("the end of an answer that has no head") }
        state = .beforeHead(informational: 0)
    }

    /// Refuses an answer with a reason.
    mutating func refuse(_ reason: String) -> Failure {
        state = .refused
        return .malformed(reason: reason)
    }

    /// Returns a status in displayable form: truncated, without control characters.
    private static func shown(_ status: String) -> String {
        let text = String(status.unicodeScalars.prefix(12).map { $0.isASCII && $0.value >= 0x20 ? Character($0) : "?" })
        return text.isEmpty ? "(empty)" : text
    }
}
