import ArgumentParser
import Foundation
import TripText

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
