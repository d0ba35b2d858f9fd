extension String {
    /// Returns the text truncated to a number of scalars, with an ellipsis if it was longer.
    ///
    /// Untrusted text is truncated when it is decoded, so that all storage is bounded. Scalars are counted because a character
    /// may consist of any number of them.
    package func bounded(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        let scalars = unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return self }
        // Copy the text, because a substring would retain the whole original.
        return String(scalars[..<end]) + "…"
    }

    /// An API name from outside, such as a status or a sensor, truncated to 100 scalars.
    package var boundedName: String { bounded(to: 100) }
}
