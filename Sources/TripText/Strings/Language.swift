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
