import ArgumentParser
import Credentials

/// Options for the credentials with which IAM signs.
struct SignerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The credentials with which IAM signs: adc (Application Default Credentials) or a credential file.",
            valueName: "adc|file"
        )
    )
    var credentials: String?

    @Option(
        help: ArgumentHelp(
            "The service account in whose name IAM signs (default: that of the credentials).",
            valueName: "email"
        )
    )
    var account: String?

    @Option(
        help: ArgumentHelp(
            "A service account between the credentials and the signing account; repeat for a longer chain.",
            valueName: "email"
        )
    )
    var delegate: [String] = []

    /// Whether an option is given.
    var isUsed: Bool { credentials != nil || account != nil || !delegate.isEmpty }

    /// Who signs.
    var choice: TokenSigner.Choice { TokenSigner.Choice(account: account, delegates: delegate) }
}
