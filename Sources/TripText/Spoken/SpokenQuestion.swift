import Failures
package import TripModel

/// A question that may be typed while sentences are written.
package enum SpokenQuestion: Sendable, Hashable, CaseIterable {
    /// Where the vehicle is.
    case position
    /// When it arrives.
    case arrival
    /// Why it does not move, or why it is late.
    case reason
    /// What has happened so far.
    case story
    /// The token.
    case key
    /// What may be asked.
    case help
    /// The end of the session.
    case quit

    /// The words for it, the first of which ``help`` names; `|` is between them.
    private var text: Text {
        switch self {
        case .position: .askWhere
        case .arrival: .askWhen
        case .reason: .askWhy
        case .story: .askHappened
        case .key: .askKey
        case .help: .askHelp
        case .quit: .askQuit
        }
    }

    /// Whether it is about one journey.
    package var isAboutJourney: Bool { self != .help && self != .quit }
}

/// What a typed line asks.
package enum TypedLine: Sendable, Equatable {
    /// Only spaces.
    case empty
    /// A question, and the ID that follows it as it was typed; `nil` without one.
    case question(SpokenQuestion, of: String?)
    /// Other words, sanitized.
    case unknown(String)

    /// Reads a line in the language of the texts or in English; case and punctuation at the end do not matter.
    package init(_ line: String, _ localizer: Localizer) {
        let marks = " \t\r?!.？！。…"
        let typed = line.split { " \t\r\n\u{3000}".contains($0) }.joined(separator: " ")
        let text = String(typed.reversed().drop { marks.contains($0) }.reversed())
        guard !text.isEmpty else {
            self = typed.isEmpty ? .empty : .question(.help, of: nil)
            return
        }
        let small = text.lowercased()
        for question in SpokenQuestion.allCases {
            for word in question.words(in: localizer) {
                if small == word {
                    self = .question(question, of: nil)
                    return
                }
                if small.hasPrefix(word + " ") {
                    self = .question(question, of: String(text.dropFirst(word.count + 1)))
                    return
                }
            }
        }
        self = .unknown(Reporter.sanitized(text, limit: 40))
    }
}

extension SpokenQuestion {
    /// The words for it in lower case: those of the language, and the English ones.
    fileprivate func words(in localizer: Localizer) -> [String] {
        [localizer, .english].flatMap { $0(text).lowercased().split(separator: "|").map(String.init) }
    }

    /// The word for it that a user is told.
    package func word(in localizer: Localizer) -> String {
        localizer(text).split(separator: "|").first.map(String.init) ?? ""
    }
}

extension Localizer {
    /// The words that may be typed, as a sentence without a full stop.
    package var askableWords: String {
        let all = SpokenQuestion.allCases.map { $0.word(in: self) }
        return self(.askWords(words: all.joined(separator: self(.listComma))))
    }

    /// The sentences about words that ask nothing.
    package func answer(toUnknown text: String) -> [String] {
        [self(.askUnknown(text: quoted(text))), askableWords]
    }

    /// The sentences about a question that names no journey, or none that is followed.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - name: The ID as it was typed; `nil` without one.
    ///   - journeys: What is followed, in order.
    /// - Returns: The sentences without full stops.
    package func answer(_ question: SpokenQuestion, unknown name: String?, _ journeys: [JourneyID]) -> [String] {
        let unknown = name.map { self(.askUnknownTrip(trip: quoted(Reporter.sanitized($0, limit: 64)))) }
        let names = journeys.prefix(Self.mostNamed).map { Reporter.sanitized($0.rawValue, limit: 64) }
        guard let example = names.last else { return [unknown ?? self(.askNothing)] }
        let more = journeys.count > names.count ? ["…"] : []
        let which = self(
            .askWhich(
                trips: (names + more).joined(separator: self(.listComma)),
                example: "\(question.word(in: self)) \(example)"
            )
        )
        return [unknown, which].compactMap(\.self)
    }

    /// The maximum number of journeys that are named to choose from.
    private static var mostNamed: Int { 5 }

    private func quoted(_ text: String) -> String {
        let marks = Array(self(.quotationMarks))
        guard let opening = marks.first, let closing = marks.last else { return text }
        return "\(opening)\(text)\(closing)"
    }
}
