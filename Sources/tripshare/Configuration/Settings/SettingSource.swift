import Failures
import TripText

/// Where the value of a setting is from.
enum SettingSource: Sendable, Equatable {
    /// An option, by its name without hyphens.
    case flag(String)
    /// An environment variable.
    case variable(String)
    /// A key of the configuration file, with the profile that has it: `profiles.staging.interval`.
    case file(key: String, path: String)

    /// The option, the variable or the key.
    var name: String {
        switch self {
        case .flag(let name): "--\(name)"
        case .variable(let name): name
        case .file(let key, _): excerpt(value: key)
        }
    }

    /// The source in a message.
    func words(_ localizer: Localizer) -> String {
        guard case .file(_, let path) = self else { return name }
        return localizer(.settingInFile(key: name, file: excerpt(path: path)))
    }

    /// The failure for a value that can't be used.
    func failure(_ problem: SettingProblem, _ value: String, _ allowed: Text) -> CommandFailure {
        CommandFailure(.badConfiguration) { localizer in
            let (source, advice) = (words(localizer), localizer(allowed))
            switch problem {
            case .refused:
                return localizer(.settingInvalid(source: source, value: excerpt(value: value), advice: advice))
            case .because(let reason):
                let reasons = "\(localizer(reason))\n\(advice)"
                return localizer(.settingInvalid(source: source, value: excerpt(value: value), advice: reasons))
            case .hidden: return localizer(.settingHidden(source: source, advice: advice))
            }
        }
    }
}

/// Why a value is no value of a setting.
enum SettingProblem: Error {
    /// It is not among those that are allowed.
    case refused
    /// A reason of its own.
    case because(Text)
    /// It may be a secret in the wrong place, so that no message shows it.
    case hidden
}
