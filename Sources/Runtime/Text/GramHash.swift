/// A keyed polynomial rolling hash of grams: each value is computed from the previous position's.
struct GramHash: Sendable {
    private let base: UInt64
    private let finisher: UInt64
    /// The base to the power of the gram's length: the weight of the character that leaves the window.
    private let leaving: UInt64

    init() {
        base = UInt64.random(in: .min ... .max) | 1
        finisher = UInt64.random(in: .min ... .max) | 1
        var power: UInt64 = 1
        for _ in 0..<KnownSecrets.gramLength { power = power &* base }
        leaving = power
    }

    func of(_ gram: some Sequence<UInt8>) -> UInt64 { finished(gram.reduce(0) { appended($0, $1) }) }

    func appended(_ sum: UInt64, _ symbol: UInt8) -> UInt64 { sum &* base &+ spread(symbol) }

    func moved(_ sum: UInt64, _ symbol: UInt8, leaving old: UInt8) -> UInt64 {
        appended(sum, symbol) &- spread(old) &* leaving
    }

    /// Returns the hash of a sum; never 0.
    func finished(_ sum: UInt64) -> UInt64 {
        let mixed = (sum ^ (sum >> 32)) &* finisher
        return (mixed ^ (mixed >> 29)) | 1
    }

    private func spread(_ symbol: UInt8) -> UInt64 { (UInt64(symbol) &+ 1) &* 0x9E37_79B9_7F4A_7C15 }
}

/// The latest characters of a text, up to the length of a gram.
struct GramWindow {
    private let hash: GramHash
    /// The characters with six bits each, the oldest first.
    private var symbols: UInt64 = 0
    private var count = 0
    private var sum: UInt64 = 0

    init(_ hash: GramHash) { self.hash = hash }

    mutating func append(_ symbol: UInt8) {
        let oldest = symbols >> UInt64(6 * KnownSecrets.gramLength - 6)
        sum =
            count < KnownSecrets.gramLength
            ? hash.appended(sum, symbol) : hash.moved(sum, symbol, leaving: UInt8(truncatingIfNeeded: oldest))
        symbols = (symbols << 6 | UInt64(symbol)) & (1 << UInt64(6 * KnownSecrets.gramLength) - 1)
        count += 1
    }

    /// The hash of the gram that ends here; `nil` while the window is not full.
    var gram: UInt64? { count < KnownSecrets.gramLength ? nil : hash.finished(sum) }
}

/// A set of non-zero hashes; a lookup takes a few nanoseconds, because every text of every frame needs several.
struct HashTable {
    private var slots = [UInt64](repeating: 0, count: 256)
    private var count = 0

    func contains(_ hash: UInt64) -> Bool {
        var index = Int(truncatingIfNeeded: hash >> 8) & (slots.count - 1)
        while slots[index] != 0 {
            if slots[index] == hash { return true }
            index = (index + 1) & (slots.count - 1)
        }
        return false
    }

    mutating func insert(_ hash: UInt64) {
        if count * 2 >= slots.count {
            let old = slots
            slots = [UInt64](repeating: 0, count: old.count * 2)
            count = 0
            for hash in old where hash != 0 { insert(hash) }
        }
        var index = Int(truncatingIfNeeded: hash >> 8) & (slots.count - 1)
        while slots[index] != 0 {
            if slots[index] == hash { return }
            index = (index + 1) & (slots.count - 1)
        }
        slots[index] = hash
        count += 1
    }
}
