extension String {
    /// The text if it is no longer than a number of scalars, else its beginning and an ellipsis.
    ///
    /// Text from outside is cut where it is decoded, so that nothing that keeps it can grow with it. Scalars are counted, since
    /// one character can have any number of them.
    package func bounded(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        let scalars = unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return self }
        // A copy of its own: a substring would keep the whole text.
        return String(scalars[..<end]) + "…"
    }

    /// A name of the API from outside, such as that of a status or a sensor, cut where it is too long for one.
    package var boundedName: String { bounded(to: 100) }
}
