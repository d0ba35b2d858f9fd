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

    /// Chooses the language as the screen does: `--lang`, else `TRIPSHARE_LANG`, else the configuration file, else the locale.
    ///
    /// Unknown names and an unusable file are skipped: they are errors, which this wording reports.
    static func chosen(arguments: [String], environment: [String: String]) -> Localizer {
        let locale = LocaleNames(environment)
        let names = [
            flag(in: arguments), environment["TRIPSHARE_LANG"], ConfigurationFile.language(environment: environment),
        ]
        let language = names.lazy.compactMap(\.self).compactMap { Language(named: $0) }.first ?? locale.language
        return Localizer(language, units: locale.units, isASCII: !locale.isUTF8 || arguments.contains("--ascii"))
    }

    /// Returns the last value of `--lang`, which only some commands have.
    private static func flag(in arguments: [String]) -> String? {
        let options = arguments.prefix { $0 != "--" }
        guard let place = options.lastIndex(where: { $0 == "--lang" || $0.hasPrefix("--lang=") }) else { return nil }
        if options[place] == "--lang" { return options.dropFirst(place + 1).first }
        return String(options[place].dropFirst("--lang=".count))
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
