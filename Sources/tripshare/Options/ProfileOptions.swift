import ArgumentParser

/// The option for the profile of the configuration file.
struct ProfileOptions: ParsableArguments {
    @Option(
        name: .customLong(Self.flag),
        help: ArgumentHelp(
            "Use the settings of this profile of the configuration file (default: that in TRIPSHARE_PROFILE).",
            valueName: "name"
        )
    )
    var name: String?

    /// The name of the option, which is also read before the parser runs, for the language of messages.
    static let flag = "profile"
    /// The variable with the name of a profile.
    static let variable = Settings.prefix + "PROFILE"

    /// Returns the name of the chosen profile, and what names it; `nil` for none.
    static func choice(
        _ name: String?,
        _ environment: [String: String]
    ) -> (name: String, source: SettingSource)? {
        if let name { return (name, .flag(flag)) }
        guard let name = environment[variable], !name.isEmpty else { return nil }
        return (name, .variable(variable))
    }

    /// Loads the settings; throws a ``CommandFailure`` for an invalid one.
    func settings() throws(CommandFailure) -> Settings { try Settings.load(profile: name) }
}
