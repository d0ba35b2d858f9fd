/// What the environment says of language, times and measures, by the rules of POSIX.
///
/// `LC_ALL` decides all of them, else the variable of each, else `LANG`. An empty variable counts as none.
package struct LocaleNames: Sendable, Equatable {
    /// The locale of texts, such as `de_DE.UTF-8`; empty where none is named.
    package var messages: String
    /// The locale of times.
    package var time: String
    /// The locale of measures.
    package var measurement: String
    /// The locale of characters.
    package var characters: String

    /// The locales of an environment.
    package init(_ environment: [String: String]) {
        func locale(_ variable: String) -> String {
            ["LC_ALL", variable, "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        }
        messages = locale("LC_MESSAGES")
        time = locale("LC_TIME")
        measurement = locale("LC_MEASUREMENT")
        characters = locale("LC_CTYPE")
    }

    /// The language of texts; English where there is no catalogue for it.
    package var language: Language { Language(named: messages) ?? .english }

    /// Miles where people measure in them: the United States, the United Kingdom, Liberia and Myanmar.
    package var units: Wording.Units {
        ["US", "GB", "LR", "MM"].contains(Self.region(measurement)) ? .imperial : .metric
    }

    /// Whether clocks count to twelve: in the United States, as the C library has it for them.
    package var hasTwelveHours: Bool { Self.region(time) == "US" }

    /// Whether characters are written in UTF-8.
    package var isUTF8: Bool {
        let charset = characters.drop { $0 != "." }.dropFirst().prefix { $0 != "@" }.lowercased()
        return charset == "utf-8" || charset == "utf8"
    }

    /// The region of a locale: `US` of `en_US.UTF-8`; empty where none is named.
    private static func region(_ locale: String) -> String {
        let parts = locale.prefix { $0 != "." && $0 != "@" }.split { $0 == "_" || $0 == "-" }
        return parts.dropFirst().last.map { $0.uppercased() } ?? ""
    }
}
