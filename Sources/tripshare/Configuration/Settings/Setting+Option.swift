import ArgumentParser

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
