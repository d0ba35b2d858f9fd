import Synchronization

/// The hashes of the tokens and secret headers in use, for finding fragments of them in texts.
///
/// A service may repeat a token in its answer. ``redacted(_:)`` replaces every fragment of at least ``pieceLength`` characters
/// of a token's signature. It also finds fragments in another case, percent-encoded, with `\u` escapes, or split by characters
/// that do not occur in tokens.
///
/// For each secret, the hashes of its grams (``gramLength`` characters) at every ``stride``-th position are stored. Any
/// fragment of ``pieceLength`` characters contains a complete gram. The secret itself is not stored and can still be
/// overwritten. A text is searched in one pass with a rolling hash. Between ``generationSize`` and twice as many of the latest
/// secrets are known.
package final class KnownSecrets: Sendable {
    /// The secrets of this process.
    ///
    /// This is the only shared instance, because every output must redact every token, including outputs that are added later.
    package static let ofProcess = KnownSecrets()

    /// The minimum length of a fragment that is always found.
    package static let pieceLength = 16
    static let gramLength = 10
    static let stride = pieceLength - gramLength + 1
    /// The maximum number of IDs that remain readable.
    static let maximumIDs = 64
    /// Grams with fewer distinct characters, such as a row of dots, are ignored.
    static let fewestCharacters = 3
    private static let generationSize = 4000

    private struct State {
        var current = HashTable()
        var previous = HashTable()
        var count = 0
        /// The grams of the labels of keys and of the IDs that remain readable.
        var readable: Set<UInt64> = []
        var idCount = 0

        func contains(_ hash: UInt64) -> Bool { current.contains(hash) || previous.contains(hash) }
    }

    private let state = Mutex(State())
    private let isEmpty = Atomic(true)
    private let hash = GramHash()

    /// The lines around every key, which are no secret: a key that was added does not hide the words "private key".
    private static let labels = ["PRIVATE KEY", "RSA PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "CERTIFICATE"].flatMap {
        ["-----BEGIN \($0)-----", "-----END \($0)-----"]
    }

    package init() {
        let grams = Self.labels.flatMap { hashes(of: $0.utf8.compactMap(Alphabet.symbol), stride: 1) }
        state.withLock { $0.readable.formUnion(grams) }
    }

    /// Leaves an ID readable even if tokens that are added later contain it: endpoints for tests issue `token-of-trip-airport-1`.
    ///
    /// An ID that is a complete token remains secret. Only the first ``maximumIDs`` IDs remain readable; the others are
    /// redacted where a token contains them.
    package func exemptFromRedaction(id: String) {
        // Before an ID comes a slash, in URLs and in the names of answers.
        let symbols = "/\(id)".utf8.compactMap(Alphabet.symbol)
        guard symbols.count >= Self.gramLength else { return }
        let grams = hashes(of: symbols, stride: 1)
        state.withLock { state in
            guard state.idCount < Self.maximumIDs, !state.readable.isSuperset(of: grams) else { return }
            state.idCount += 1
            state.readable.formUnion(grams)
        }
    }

    /// Adds a token: the signature of a JWT, or the whole of another token.
    package func add(token: some Collection<UInt8>) {
        guard token.count(where: { $0 == UInt8(ascii: ".") }) >= 2 else { return add(token) }
        add(token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last ?? token[...])
    }

    /// Adds a token.
    package func add(token: String) { add(token: Array(token.utf8)) }

    /// Adds a secret of any format, such as a header value; secrets shorter than ``pieceLength`` are not stored.
    package func add(_ secret: some Collection<UInt8>) {
        var symbols = secret.compactMap(Alphabet.symbol)
        // Overwrite this copy of the secret.
        defer { for index in symbols.indices { symbols[index] = 0 } }
        guard symbols.count >= Self.pieceLength else { return }
        let hashes = secretHashes(of: symbols)
        guard !hashes.isEmpty else { return }
        state.withLock { state in
            // A caching endpoint returns the same token repeatedly.
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

    /// Returns the hashes that find every fragment of ``pieceLength`` characters, except fragments of readable IDs and labels.
    private func secretHashes(of symbols: [UInt8]) -> [UInt64] {
        let readable = state.withLock { $0.readable }
        let all = hashes(of: symbols, stride: 1)
        let secret = all.filter { !readable.contains($0) }
        // Without one of them in it, every ``stride``-th gram is enough.
        return secret.count == all.count || secret.isEmpty ? hashes(of: symbols, stride: Self.stride) : secret
    }

    private func hashes(of symbols: [UInt8], stride: Int) -> [UInt64] {
        Swift.stride(from: 0, through: symbols.count - Self.gramLength, by: stride).compactMap { start in
            let gram = symbols[start..<(start + Self.gramLength)]
            return Set(gram).count >= Self.fewestCharacters ? hash.of(gram) : nil
        }
    }

    /// Returns the text with each word that contains a fragment of a known secret replaced by `<token>`.
    package func redacted(_ text: String) -> String {
        guard text.utf8.count >= Self.pieceLength, !isEmpty.load(ordering: .acquiring) else { return text }
        let bytes = Array(text.utf8)
        // Few texts have a secret. Without the places, the search takes a third of the time.
        let found = state.withLock { hasSecret(bytes, of: $0) ? secrets(in: bytes, of: $0) : [] }
        guard !found.isEmpty else { return text }
        return Self.replace(found, in: bytes)
    }

    /// Returns whether a text has a fragment of a known secret.
    package func occur(in bytes: [UInt8]) -> Bool {
        guard bytes.count >= Self.pieceLength, !isEmpty.load(ordering: .acquiring) else { return false }
        return state.withLock { hasSecret(bytes, of: $0) }
    }

    private func hasSecret(_ bytes: [UInt8], of state: State) -> Bool {
        // Outside the loop: without optimization, each character would copy the state.
        let (current, previous) = (state.current, state.previous)
        var reader = SymbolReader(bytes: bytes)
        var window = GramWindow(hash)
        while let symbol = reader.next() {
            window.append(symbol)
            guard let gram = window.gram else { continue }
            if current.contains(gram) || previous.contains(gram) { return true }
        }
        return false
    }

    /// Returns the byte ranges of words with fragments of secrets, in order and without overlaps.
    private func secrets(in bytes: [UInt8], of state: State) -> [Range<Int>] {
        var reader = SymbolReader(bytes: bytes)
        var window = GramWindow(hash)
        var found: [Range<Int>] = []
        // The start of each character's word.
        var starts: [Int] = []
        var lastEnd = -1
        while let symbol = reader.next() {
            let place = reader.place
            starts.append(place.lowerBound == lastEnd ? starts[starts.count - 1] : place.lowerBound)
            lastEnd = place.upperBound
            window.append(symbol)
            if let last = found.last, last.upperBound == place.lowerBound {
                // Extend the range to the rest of the word.
                found[found.count - 1] = last.lowerBound..<place.upperBound
            }
            guard let gram = window.gram, state.contains(gram) else { continue }
            let start = starts[starts.count - Self.gramLength]
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
