import ArgumentParser
import TripText

/// One setting: its names in the file, on the command line and in the environment, what it accepts, and its default.
///
/// Options, variables, file, checks, and the table of the manual are made from this row.
///
/// - `Value`: The type of a value that is given.
/// - `Resolved`: The type with the default: `Value`, or `Value?` for a setting without one.
struct Setting<Value: Sendable, Resolved: Sendable>: SettingRow {
    let key: String
    let flag: String?
    let variable: String?
    let help: ArgumentHelp
    let standard: String
    /// What it accepts.
    let kind: SettingKind<Value>
    /// Returns the given value, else the default.
    let completed: @Sendable (Value?) -> Resolved

    var documentation: String { kind.documentation }
    var allowed: Text { kind.allowed }

    func value(_ input: SettingInput) throws(SettingProblem) -> any Sendable { try kind.value(input) }

    /// Throws a usage error for a value of the option that is out of range.
    func check(_ value: Value?) throws {
        guard let value, let flag, !kind.accepts(value) else { return }
        let failure = SettingSource.flag(flag).failure(.refused, kind.spelled(value), allowed)
        throw ValidationError(failure.message)
    }
}

/// A setting whatever the type of its value.
protocol SettingRow: Sendable {
    /// The key in the file.
    var key: String { get }
    /// The name of the option, without hyphens; `nil` if there is none.
    var flag: String? { get }
    /// The environment variable; `nil` if there is none.
    var variable: String? { get }
    /// The help of the option.
    var help: ArgumentHelp { get }
    /// The default, as the manual describes it.
    var standard: String { get }
    /// What it accepts, as the manual describes it.
    var documentation: String { get }
    /// What it accepts, as messages describe it.
    var allowed: Text { get }

    /// Reads a value.
    func value(_ input: SettingInput) throws(SettingProblem) -> any Sendable
}

extension SettingRow {
    /// Reads a value; throws a ``CommandFailure`` that names its source and what is allowed.
    func value(_ input: SettingInput, from source: SettingSource) throws(CommandFailure) -> any Sendable {
        do throws(SettingProblem) {
            return try value(input)
        } catch {
            throw source.failure(error, input.shown, allowed)
        }
    }
}

/// The option of a setting.
enum SettingOption: Sendable {
    /// The key in the form of an option: `token-url` for `tokenUrl`.
    case ofKey
    case named(String)
    case none

    func name(of key: String) -> String? {
        switch self {
        case .ofKey: key.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
        case .named(let name): name
        case .none: nil
        }
    }
}

extension Setting {
    fileprivate init(
        _ key: String,
        _ option: SettingOption,
        hasVariable: Bool,
        _ kind: SettingKind<Value>,
        _ standard: String,
        _ help: ArgumentHelp,
        _ completed: @escaping @Sendable (Value?) -> Resolved
    ) {
        (self.key, self.kind, self.standard, self.help, self.completed) = (key, kind, standard, help, completed)
        flag = option.name(of: key)
        variable =
            hasVariable ? Settings.prefix + key.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined() : nil
    }
}

extension Setting where Resolved == Value? {
    /// Creates a setting without a value as its default; `standard` describes what happens then.
    init(
        _ key: String,
        option: SettingOption = .ofKey,
        hasVariable: Bool = true,
        _ kind: SettingKind<Value>,
        standard: String = "–",
        _ help: ArgumentHelp = ""
    ) {
        self.init(key, option, hasVariable: hasVariable, kind, standard, help) { $0 }
    }
}

extension Setting where Resolved == Value {
    /// Creates a setting with a default.
    init(
        _ key: String,
        option: SettingOption = .ofKey,
        _ kind: SettingKind<Value>,
        or standard: Value,
        _ help: ArgumentHelp
    ) {
        self.init(key, option, hasVariable: true, kind, "`\(kind.spelled(standard))`", help) { $0 ?? standard }
    }
}

// The options of settings: names and help texts come from the rows.

extension Setting {
    /// The name of the option.
    fileprivate var name: NameSpecification { flag.map { .customLong($0) } ?? .long }
}

extension Option {
    /// Creates the option of a setting.
    init<T: ExpressibleByArgument & Sendable, R>(_ row: KeyPath<SettingRows, Setting<T, R>>) where Value == T? {
        let row = SettingRows.all[keyPath: row]
        self.init(name: row.name, help: row.help)
    }

    /// Creates the option of a setting whose text is read later.
    init<T, R>(text row: KeyPath<SettingRows, Setting<T, R>>) where Value == String? {
        let row = SettingRows.all[keyPath: row]
        self.init(name: row.name, help: row.help)
    }

    /// Creates the option of a setting that can be repeated.
    init<T, S, R>(
        wrappedValue: [T],
        _ row: KeyPath<SettingRows, Setting<S, R>>,
        transform: @Sendable @escaping (String) throws -> T
    ) where Value == [T] {
        let row = SettingRows.all[keyPath: row]
        self.init(wrappedValue: wrappedValue, name: row.name, help: row.help, transform: transform)
    }
}

extension Flag where Value == Bool {
    /// Creates the flag of a setting.
    init<R>(wrappedValue: Bool, _ row: KeyPath<SettingRows, Setting<Bool, R>>) {
        let row = SettingRows.all[keyPath: row]
        self.init(wrappedValue: wrappedValue, name: row.name, help: row.help)
    }
}
