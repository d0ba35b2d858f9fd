/// Suggests corrections of unknown words.
package enum Spelling {
    /// Returns the known word with the smallest edit distance; `nil` if none is close.
    ///
    /// The maximum distance is a third of the letters, at least two; case is ignored. Words of more than 60 letters get no
    /// suggestion.
    package static func nearest(to word: String, among known: [String]) -> String? {
        guard word.count <= 60 else { return nil }
        let best = known.map { (word: $0, changes: changes(Array(word.lowercased()), Array($0.lowercased()))) }
            .min { $0.changes < $1.changes }
        guard let best, best.changes <= max(2, word.count / 3), best.changes < best.word.count else { return nil }
        return best.word
    }

    /// Returns the Levenshtein distance.
    package static func changes(_ first: [Character], _ second: [Character]) -> Int {
        var row = Array(0...second.count)
        for (index, letter) in first.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (place, other) in second.enumerated() {
                let change = diagonal + (letter == other ? 0 : 1)
                diagonal = row[place + 1]
                row[place + 1] = min(change, row[place] + 1, diagonal + 1)
            }
        }
        return row[second.count]
    }
}
