import HTTPTransport

/// The order in which the parts of an answer may come: informational heads, one final head, the body, the end.
///
/// The HTTP library takes this order and statuses from 100 for granted and traps where a server has others.
struct AnswerOrder {
    /// More informational heads than these before one answer are refused; real servers send one or two.
    static let mostInformationalHeads = 100

    private enum State {
        case beforeHead(informational: Int)
        case body
        case refused
    }

    private var state = State.beforeHead(informational: 0)

    /// Whether an answer was refused; what comes after it is to be dropped.
    var isRefused: Bool {
        if case .refused = state { true } else { false }
    }

    /// Checks a head with a status; `isInformational` where another head follows it.
    mutating func head(status: String, isInformational: Bool) throws(HTTPTransportError) {
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

    /// Checks a part of a body.
    mutating func bodyPart() throws(HTTPTransportError) {
        guard case .body = state else { throw refuse("a body without a head") }
    }

    /// Checks the end of an answer, after which another may begin.
    mutating func end() throws(HTTPTransportError) {
        guard case .body = state else { throw refuse("the end of an answer that has no head") }
        state = .beforeHead(informational: 0)
    }

    /// Refuses an answer for a reason.
    mutating func refuse(_ reason: String) -> HTTPTransportError {
        state = .refused
        return .malformed(reason: reason)
    }

    /// A status as it may be shown: its beginning, without control characters.
    private static func shown(_ status: String) -> String {
        let text = String(status.unicodeScalars.prefix(12).map { $0.isASCII && $0.value >= 0x20 ? Character($0) : "?" })
        return text.isEmpty ? "(empty)" : text
    }
}
