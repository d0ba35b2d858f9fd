import Failures
import Runtime
import TripText

/// The values of one source of settings: the environment, a profile, or the file outside of profiles.
struct SettingLayer: Sendable {
    /// The beginning of the keys in messages, and the path of the file; `nil` for the environment.
    private let file: (prefix: String, path: String)?
    /// The values by key.
    private var values: [String: any Sendable] = [:]

    /// Reads the variables.
    init(environment: [String: String]) throws(CommandFailure) {
        file = nil
        for row in SettingRows.list {
            guard let source = source(of: row), let text = environment[source.name] else { continue }
            values[row.key] = try row.value(.text(text), from: source)
        }
    }

    /// Reads members of the file.
    ///
    /// - Parameters:
    ///   - members: The values by key.
    ///   - prefix: What messages have in front of a key: `profiles.staging.`.
    ///   - path: The path of the file.
    ///   - others: The keys that are no settings.
    /// - Throws: ``CommandFailure`` for an unknown key and an invalid value.
    init(
        _ members: [String: JSONValue],
        prefix: String = "",
        path: String,
        besides others: [String] = []
    ) throws(CommandFailure) {
        file = (prefix, path)
        let rows = SettingRows.list
        for (key, value) in members.sorted(by: { $0.key < $1.key }) where !others.contains(key) {
            guard let row = rows.first(where: { $0.key == key }) else {
                let known = rows.map(\.key) + others
                let advice = Text(nearest: Spelling.nearest(to: key, among: known), among: known)
                throw CommandFailure(.badConfiguration) {
                    $0(
                        .configurationUnknownKey(
                            file: excerpt(path: path),
                            key: excerpt(value: prefix + key),
                            advice: $0(advice)
                        )
                    )
                }
            }
            values[key] = try row.value(.json(value), from: .file(key: prefix + key, path: path))
        }
    }

    /// The value of a setting; `nil` if it is not set here.
    subscript<Value, Resolved>(_ row: KeyPath<SettingRows, Setting<Value, Resolved>>) -> Value? {
        values[SettingRows.all[keyPath: row].key] as? Value
    }

    /// Returns where a value of this layer is from; `nil` if a setting has no variable.
    func source(of row: any SettingRow) -> SettingSource? {
        if let file { return .file(key: file.prefix + row.key, path: file.path) }
        return row.variable.map { .variable($0) }
    }
}

extension Text {
    /// Suggests the nearest known name; lists all of them if none is near.
    init(nearest: String?, among names: [String]) {
        self = nearest.map { .adviceNearest(name: $0) } ?? .adviceKnown(names: names.joined(separator: ", "))
    }
}

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
