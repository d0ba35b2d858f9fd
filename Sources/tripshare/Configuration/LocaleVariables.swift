import ArgumentParser
import Foundation
import TripText

/// Removes invalid locale names from the environment before any code reads them.
///
/// Written for Swift 6.3.1, whose Foundation ends by SIGSEGV when it reads a name of 100 bytes. The limit is obsolete once
/// `HostileEnvironmentTests`, “ignores an invalid locale”, passes without it.
enum LocaleVariables {
    /// The maximum accepted length of a locale name, in bytes.
    ///
    /// Real names have fewer than 40 bytes. ICU overflows a buffer with a name of 100 bytes.
    static let maximumNameBytes = 64

    private static let names = [
        "LC_ALL", "LC_ADDRESS", "LC_COLLATE", "LC_CTYPE", "LC_IDENTIFICATION", "LC_MEASUREMENT", "LC_MESSAGES",
        "LC_MONETARY", "LC_NAME", "LC_NUMERIC", "LC_PAPER", "LC_TELEPHONE", "LC_TIME", "LANG", "LANGUAGE",
    ]

    /// Unsets variables with invalid locale names.
    ///
    /// Call it while the process has a single thread, because `unsetenv` is not thread-safe.
    static func clean() {
        for name in names {
            guard let value = unsafe getenv(name) else { continue }
            // Only `LANGUAGE` holds a colon-separated list.
            let isGood = unsafe String(cString: value).split(separator: ":").allSatisfy(isName)
            if !isGood { unsafe unsetenv(name) }
        }
    }

    /// Returns whether a text is a valid locale name, such as `ca_ES.UTF-8@valencia`.
    static func isName(_ text: Substring) -> Bool {
        text.utf8.count <= maximumNameBytes
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

extension Localizer {
    /// The wording of all messages of this process.
    static var ofProcess: Localizer { ProcessContext.current.localizer ?? loaded }

    /// Loaded at the first message.
    private static let loaded = chosen(
        arguments: Array(CommandLine.arguments.dropFirst()),
        environment: ProcessInfo.processInfo.environment
    )

    /// Chooses the language as the screen does: `--lang`, else `TRIPSHARE_LANG`, else the configuration file with its profile, else the locale.
    ///
    /// Unknown names and an unusable file are skipped: they are errors, which this wording reports.
    static func chosen(arguments: [String], environment: [String: String]) -> Localizer {
        let locale = LocaleNames(environment)
        let names = [
            value(of: "--lang", in: arguments), SettingRows.all.lang.variable.flatMap { environment[$0] },
            ConfigurationFile.language(
                profile: ProfileOptions.choice(value(of: "--\(ProfileOptions.flag)", in: arguments), environment)?.name,
                environment: environment
            ),
        ]
        let language = names.lazy.compactMap(\.self).compactMap { Language(named: $0) }.first ?? locale.language
        return Localizer(language, units: locale.units, isASCII: !locale.isUTF8 || arguments.contains("--ascii"))
    }

    /// Returns the last value of an option, which only some commands have.
    private static func value(of option: String, in arguments: [String]) -> String? {
        let options = arguments.prefix { $0 != "--" }
        guard let place = options.lastIndex(where: { $0 == option || $0.hasPrefix("\(option)=") }) else { return nil }
        if options[place] == option { return options.dropFirst(place + 1).first }
        return String(options[place].dropFirst(option.count + 1))
    }
}

extension ValidationError {
    /// An error in the value of a flag.
    init(_ text: Text) {
        self.init(Localizer.ofProcess(text))
    }
}

extension Printing {
    /// Writes a warning to standard error.
    static func warning(_ text: Text) {
        error(Localizer.ofProcess(text))
    }
}
