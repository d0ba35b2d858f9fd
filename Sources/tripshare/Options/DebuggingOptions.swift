import ArgumentParser

/// Options for debugging the program itself.
struct DebuggingOptions: ParsableArguments {
    /// The name of the flag, which is checked before the parser runs.
    static let flag = "allow-core-dumps"

    @Flag(
        name: .customLong(Self.flag),
        help: "Let debuggers, perf and core files read the memory of this process, tokens included."
    )
    var allowsCoreDumps = false
}
