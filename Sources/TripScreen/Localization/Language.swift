/// A language of the interface.
package enum Language: String, Sendable, Hashable, CaseIterable {
    case english = "en"
    case german = "de"
    case korean = "ko"
    case simplifiedChinese = "zh-Hans"
    case traditionalChinese = "zh-Hant"

    /// The language of a name such as `de`, `de_DE.UTF-8`, `zh-TW` or `ko_KR@calendar`; `nil` for one without a catalogue.
    package init?(named name: String) {
        let parts = name.prefix { $0 != "." && $0 != "@" }.lowercased().split { $0 == "_" || $0 == "-" }
        switch parts.first {
        case "en", "c", "posix": self = .english
        case "de": self = .german
        case "ko": self = .korean
        case "zh":
            let isTraditional = parts.contains("hant") || ["tw", "hk", "mo"].contains(parts.last)
            self = isTraditional && !parts.contains("hans") ? .traditionalChinese : .simplifiedChinese
        default: return nil
        }
    }

    /// What it calls itself.
    package var ownName: String {
        switch self {
        case .english: "English"
        case .german: "Deutsch"
        case .korean: "한국어"
        case .simplifiedChinese: "简体中文"
        case .traditionalChinese: "繁體中文"
        }
    }

    /// What it is called in English.
    package var englishName: String {
        switch self {
        case .english: "English"
        case .german: "German"
        case .korean: "Korean"
        case .simplifiedChinese: "Simplified Chinese"
        case .traditionalChinese: "Traditional Chinese"
        }
    }

    /// Whether it can be written in ASCII, with `ae` for `ä`.
    var hasASCIIForm: Bool {
        switch self {
        case .english, .german: true
        case .korean, .simplifiedChinese, .traditionalChinese: false
        }
    }

    /// Whether a noun changes after a number other than one.
    var hasPlural: Bool { hasASCIIForm }
}
