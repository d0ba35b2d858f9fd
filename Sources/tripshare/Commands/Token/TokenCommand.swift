import ArgumentParser

/// `tripshare token`: works with a single token, without following a trip.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Fetch, explain or sign one token.",
        subcommands: [TokenFetchCommand.self, TokenInspectCommand.self, TokenMintCommand.self]
    )
}
