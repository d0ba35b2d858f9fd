import Glibc

/// The variables of the environment that name a locale, put right before anything reads them.
enum LocaleVariables {
    /// The longest name that is kept, in bytes.
    ///
    /// Those of real locales have less than 40; ICU writes over the end of a buffer
    /// where a name has 100.
    static let longestName = 64

    private static let names = [
        "LC_ALL", "LC_ADDRESS", "LC_COLLATE", "LC_CTYPE", "LC_IDENTIFICATION", "LC_MEASUREMENT", "LC_MESSAGES",
        "LC_MONETARY", "LC_NAME", "LC_NUMERIC", "LC_PAPER", "LC_TELEPHONE", "LC_TIME", "LANG", "LANGUAGE",
    ]

    /// Unsets those that name no locale, as if they had not been set; called while there is one thread.
    static func clean() {
        for name in names {
            guard let value = unsafe getenv(name) else { continue }
            // Only `LANGUAGE` is a list.
            let isGood = unsafe String(cString: value).split(separator: ":").allSatisfy(isName)
            if !isGood { unsafe unsetenv(name) }
        }
    }

    /// Whether a text can name a locale, such as `ca_ES.UTF-8@valencia`.
    static func isName(_ text: Substring) -> Bool {
        text.utf8.count <= longestName
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "_-.@=,+".utf8.contains(byte)
                }
            }
    }
}
