import Synchronization

/// The tokens and secret headers in use, known by hashes, so that texts can be searched for pieces of them.
///
/// A service may repeat a token in any text of its answer. ``redacted(_:)`` replaces every piece of ``pieceLength`` characters
/// or more of a token's signature, also in another case, percent-encoded, with `\u` escapes, or split by spaces and other
/// characters that do not occur in tokens.
///
/// Of each secret the hashes of its grams (``gramLength`` characters) at every ``stride``-th place are kept; any piece of
/// ``pieceLength`` characters contains one of them whole. The secret itself is not kept and can still be wiped. A text is
/// searched in one pass with a rolling hash. At least the latest ``generationSize`` secrets are known, at most twice as many.
package final class KnownSecrets: Sendable {
    /// The secrets of this process.
    ///
    /// The only shared instance, on purpose: a token has to be known to every output, also to one that is written later.
    package static let ofProcess = KnownSecrets()

    /// The shortest piece that is found for certain.
    package static let pieceLength = 16
    static let gramLength = 10
    static let stride = pieceLength - gramLength + 1
    /// A gram of fewer different characters, such as a row of dots, is no evidence of a secret.
    static let fewestCharacters = 3
    private static let generationSize = 4000

    private struct State {
        var current = HashTable()
        var previous = HashTable()
        var count = 0
    }

    private let state = Mutex(State())
    private let isEmpty = Atomic(true)
    private let hash = GramHash()

    package init() {}

    /// Adds a token: of a JWT its signature, of any other token all of it.
    package func add(token: some Collection<UInt8>) {
        guard token.count(where: { $0 == UInt8(ascii: ".") }) >= 2 else { return add(token) }
        add(token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last ?? token[...])
    }

    /// Adds a token.
    package func add(token: String) { add(token: Array(token.utf8)) }

    /// Adds a secret of any form, such as the value of a header; one of fewer than ``pieceLength`` characters is not kept.
    package func add(_ secret: some Collection<UInt8>) {
        var symbols = secret.compactMap(Alphabet.symbol)
        // Wiped, as it is a copy of the secret.
        defer { for index in symbols.indices { symbols[index] = 0 } }
        guard symbols.count >= Self.pieceLength else { return }
        var hashes: [UInt64] = []
        for start in Swift.stride(from: 0, through: symbols.count - Self.gramLength, by: Self.stride) {
            let gram = symbols[start..<(start + Self.gramLength)]
            if Set(gram).count >= Self.fewestCharacters { hashes.append(hash.of(gram)) }
        }
        guard !hashes.isEmpty else { return }
        state.withLock { state in
            // An endpoint that caches returns the same token again and again.
            if hashes.allSatisfy(state.current.contains) { return }
            if state.count == Self.generationSize {
                state.previous = state.current
                state.current = HashTable()
                state.count = 0
            }
            state.count += 1
            for hash in hashes { state.current.insert(hash) }
        }
        isEmpty.store(false, ordering: .releasing)
    }

    /// The text with each piece of a known secret, and the rest of the word around it, replaced by `<token>`.
    package func redacted(_ text: String) -> String {
        guard text.utf8.count >= Self.pieceLength, !isEmpty.load(ordering: .acquiring) else { return text }
        let found = state.withLock { state in
            search(text.utf8) { state.current.contains($0) || state.previous.contains($0) }
        }
        guard !found.isEmpty else { return text }
        return Self.replace(found, in: Array(text.utf8))
    }

    /// The bytes of words with a piece of a secret, in order; they do not overlap.
    private func search(_ bytes: String.UTF8View, isKnown: (UInt64) -> Bool) -> [Range<Int>] {
        var reader = SymbolReader(bytes)
        var window = GramWindow(hash)
        var found: [Range<Int>] = []
        var lastEnd = -1
        var wordStart = 0
        while let (symbol, place) = reader.next() {
            if place.lowerBound != lastEnd { wordStart = place.lowerBound }
            lastEnd = place.upperBound
            window.append(symbol, wordStart: wordStart)
            if let last = found.last, last.upperBound == place.lowerBound {
                // The rest of the word.
                found[found.count - 1] = last.lowerBound..<place.upperBound
            }
            guard let (gram, start) = window.gram, isKnown(gram) else { continue }
            if let last = found.last, last.upperBound >= start {
                found[found.count - 1] = min(last.lowerBound, start)..<place.upperBound
            } else {
                found.append(start..<place.upperBound)
            }
        }
        return found
    }

    private static func replace(_ places: [Range<Int>], in bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        var end = 0
        for place in places {
            result += bytes[end..<place.lowerBound]
            result += Array("<token>".utf8)
            end = place.upperBound
        }
        result += bytes[end...]
        return String(decoding: result, as: UTF8.self)
    }
}
