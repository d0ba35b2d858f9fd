/// Guesses what was meant by a word that nobody knows.
package enum Spelling {
    /// The known word that takes the fewest changes of a letter; `nil` where none is near.
    ///
    /// Near is a third of the letters, at least two; case does not count. Of words above 60 letters nothing is guessed.
    package static func nearest(to word: String, among known: [String]) -> String? {
        guard word.count <= 60 else { return nil }
        let best = known.map { (word: $0, changes: changes(Array(word.lowercased()), Array($0.lowercased()))) }
            .min { $0.changes < $1.changes }
        guard let best, best.changes <= max(2, word.count / 3), best.changes < best.word.count else { return nil }
        return best.word
    }

    /// How many letters are to be put in, taken out or changed (Levenshtein).
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
