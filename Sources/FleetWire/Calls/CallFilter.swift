package import Failures

/// Which calls are shown: a text whose words must all occur in a call, such as `from:rider status:4xx trip-1`.
///
/// | word | the call has it in |
/// |---|---|
/// | `trip-1` | any part |
/// | `status:403` | the named part, see ``Part`` |
/// | `!GetTrip`, `!from:driver` | no part, or not in the named one |
///
/// Case does not matter, and a part of a word is enough. A word with another name before its colon is a text, because paths such as
/// `trips:search` contain colons.
package struct CallFilter: Sendable, Equatable {
    /// A part of a call, by its name in filters.
    package enum Part: String, Sendable, CaseIterable {
        /// Who asked.
        case from
        /// Who answered.
        case to
        /// The operation, such as `GetTrip`.
        case operation = "op"
        /// The HTTP method and the path.
        case path
        /// The IDs of the trip, the shipment and the vehicle.
        case id
        /// The status as a number, as a class such as `4xx`, by its name, and as `ok` or `error`.
        case status
        /// The kind and the fingerprint of the token.
        case token
        /// The injected fault.
        case fault
        /// Why the call was refused or failed.
        case reason
    }

    private struct Word: Sendable, Equatable {
        /// The part that must have it; `nil` for any.
        var part: Part?
        /// The text in lower case.
        var text: String
        /// Whether the call must not have it.
        var isExcluded = false
    }

    private let words: [Word]

    /// The filter that shows all calls.
    package static let none = CallFilter("")

    /// Creates a filter; an empty text shows all calls.
    package init(_ text: String) {
        words = text.lowercased().split(whereSeparator: \.isWhitespace).compactMap { word in
            let isExcluded = word.hasPrefix("!")
            let shown = isExcluded ? word.dropFirst() : word
            let pair = shown.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let part = pair.count == 2 ? Part(rawValue: String(pair[0])) : nil
            let text = String(part == nil ? shown : pair[1])
            return text.isEmpty ? nil : Word(part: part, text: text, isExcluded: isExcluded)
        }
    }

    /// Whether it shows all calls.
    package var isEmpty: Bool { words.isEmpty }

    /// Returns whether a call is shown.
    ///
    /// - Parameter texts: Returns the texts of a part of the call; none if the part is unknown.
    /// - Returns: Whether all words fit.
    package func matches(_ texts: (Part) -> [String]) -> Bool {
        words.allSatisfy { word in
            let parts = word.part.map { [$0] } ?? Part.allCases
            let isFound = parts.contains { part in texts(part).contains { $0.lowercased().contains(word.text) } }
            return isFound != word.isExcluded
        }
    }
}

extension CallFilter {
    /// Returns whether a call is shown.
    package func matches(_ call: Call) -> Bool { isEmpty || matches { call.texts(of: $0) } }
}

extension Call {
    /// Returns the texts of a part of the call for filters.
    fileprivate func texts(of part: CallFilter.Part) -> [String] {
        switch part {
        case .from: [self.asker.rawValue]
        case .to: [self.answerer.rawValue]
        case .operation: [self.operation.rawValue]
        case .path: ["\(self.request.method ?? "") \(self.request.url)"]
        case .id: [self.subject]
        case .status: statusTexts
        case .token: self.credential.map { [$0.kind, $0.fingerprint] } ?? []
        case .fault: self.fault?.names ?? []
        case .reason: reasonTexts
        }
    }

    private var statusTexts: [String] {
        let number = self.answer?.status ?? self.failure?.answer?.httpStatus
        let name = self.failure.map { $0.answer?.status ?? number.map { StatusCode(httpStatus: $0).name } ?? "" }
        let numbers = number.map { ["\($0)", "\($0 / 100)xx"] } ?? []
        return numbers + [name].compactMap(\.self) + [self.failure == nil ? "ok" : "error"]
    }

    private var reasonTexts: [String] {
        guard let failure = self.failure else { return [] }
        return [failure.answer?.message, failure.exchange?.answer?.body?.message, failure.brokenRule?.rule.rawValue]
            .compactMap(\.self) + [failure.code.rawValue]
    }
}
