import ArgumentParser

extension ArgumentHelp {
    /// The help of `--filter`.
    static let callFilter = ArgumentHelp(
        "Only calls with all these words, such as 'from:rider status:4xx trip-1'; !word excludes.",
        valueName: "words"
    )
}
