import ArgumentParser

/// `tripshare tokens`: serves tokens to others.
struct TokensCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "Serve tokens of a real project for development and demos.",
        subcommands: [TokensServeCommand.self]
    )
}
