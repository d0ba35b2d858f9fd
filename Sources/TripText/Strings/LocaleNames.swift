/// The locale names in the environment for texts, times, measurements and characters, by the rules of POSIX.
///
/// `LC_ALL` takes precedence over the variable of a category, such as `LC_TIME`, and that over `LANG`. An empty variable
/// counts as unset.
package struct LocaleNames: Sendable, Equatable {
    /// The locale of texts, such as `de_DE.UTF-8`; empty if unset.
    package var messages: String
    /// The locale of times; empty if unset.
    package var time: String
    /// The locale of measurements; empty if unset.
    package var measurement: String
    /// The locale of the character encoding; empty if unset.
    package var characters: String

    /// Reads the locale names from environment variables.
    package init(_ environment: [String: String]) {
        func locale(_ variable: String) -> String {
            ["LC_ALL", variable, "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        }
        messages = locale("LC_MESSAGES")
        time = locale("LC_TIME")
        measurement = locale("LC_MEASUREMENT")
        characters = locale("LC_CTYPE")
    }

    /// The language of texts; English if there is no catalogue for the locale.
    package var language: Language { Language(named: messages) ?? .english }

    /// The units of distances: imperial in the United States, the United Kingdom, Liberia and Myanmar, else metric.
    package var units: Localizer.Units {
        ["US", "GB", "LR", "MM"].contains(Self.region(measurement)) ? .imperial : .metric
    }

    /// Whether clock times have 12 hours: only in the United States, as in glibc's `en_US` locale.
    package var hasTwelveHours: Bool { Self.region(time) == "US" }

    /// Whether the character encoding is UTF-8.
    package var isUTF8: Bool {
        let charset = characters.drop { $0 != "." }.dropFirst().prefix { $0 != "@" }.lowercased()
        return charset == "utf-8" || charset == "utf8"
    }

    /// Returns the region of a locale, such as `US` for `en_US.UTF-8`; empty if it has none.
    private static func region(_ locale: String) -> String {
        let parts = locale.prefix { $0 != "." && $0 != "@" }.split { $0 == "_" || $0 == "-" }
        return parts.dropFirst().last.map { $0.uppercased() } ?? ""
    }
}

/// A language of the interface.
package enum Language: String, Sendable, Hashable, CaseIterable {
    case english = "en"
    case german = "de"
    case korean = "ko"
    case simplifiedChinese = "zh-Hans"
    case traditionalChinese = "zh-Hant"

    /// Parses a name such as `de`, `de_DE.UTF-8`, `zh-TW` or `ko_KR@calendar`; `nil` if the language has no catalogue.
    package init?(named name: String) {
        let parts = name.prefix { $0 != "." && $0 != "@" }.lowercased().split { $0 == "_" || $0 == "-" }
        switch parts.first {
        case "c", "posix": self = .english
        case "zh":
            let isTraditional = parts.contains("hant") || ["tw", "hk", "mo"].contains(parts.last)
            self = isTraditional && !parts.contains("hans") ? .traditionalChinese : .simplifiedChinese
        case let name?: self.init(rawValue: String(name))
        case nil: return nil
        }
    }

    /// Whether its texts can be written in ASCII, with `ae` for `ä`.
    var hasASCIIForm: Bool { self == .english || self == .german }
}
