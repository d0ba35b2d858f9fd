/// The ranges of the numbers in a recording.
///
/// Anyone can edit a recording. Every number is therefore checked where it is decoded, so that sums and conversions of the
/// decoded ones cannot overflow. A header with a number out of range is refused, a line with one is skipped.
enum RecordedNumber {
    /// Counts, sizes and codes: more than a recording can have, and a sum of a billion of them fits in 64 bits.
    private static let counts = -1e9...1e9
    /// Measured values and thresholds: whole numbers of this range are exact.
    private static let values = -1e15...1e15
    /// The narrower ranges by key.
    private static let ranges: [String: ClosedRange<Double>] = [
        // Ten years: a replay would wait for a later event without an end.
        "at": -315_576_000...315_576_000,
        "cellAspect": 0.1...10,
        // Cells of a terminal.
        "height": 0...10_000,
        // A hundred years in seconds.
        "interval": 0...3_155_760_000,
        "speed": 0...1_000_000,
        "width": 0...10_000,
        "x": -10_000...10_000,
        "y": -10_000...10_000,
    ]
    /// The smallest speed of a clock that is not paused: durations are divided by it.
    private static let slowest = 0.001

    /// Whether an integer is in the range of its key.
    static func isValid(_ number: Int, _ key: String) -> Bool { (ranges[key] ?? counts).contains(Double(number)) }

    /// Whether a number is in the range of its key.
    static func isValid(_ number: Double, _ key: String) -> Bool {
        guard (ranges[key] ?? values).contains(number) else { return false }
        return key != "speed" || number == 0 || number >= slowest
    }
}

/// The decoders that the compiler writes for the types of this module call these functions instead of the functions of the standard
/// library, because they have the same names and are nearer.
extension KeyedDecodingContainer {
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try checked(any(type, key), key, RecordedNumber.isValid)
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try checked(any(type, key), key, RecordedNumber.isValid)
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try anyIfPresent(type, key).map { try checked($0, key, RecordedNumber.isValid) }
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try anyIfPresent(type, key).map { try checked($0, key, RecordedNumber.isValid) }
    }

    func decode(_ type: [String: Int].Type, forKey key: Key) throws -> [String: Int] {
        try any(type, key).mapValues { try checked($0, key, RecordedNumber.isValid) }
    }

    func decode(_ type: [String: Double].Type, forKey key: Key) throws -> [String: Double] {
        try any(type, key).mapValues { try checked($0, key, RecordedNumber.isValid) }
    }

    private func any<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value { try decode(type, forKey: key) }

    private func anyIfPresent<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
        try decodeIfPresent(type, forKey: key)
    }

    private func checked<Number>(_ number: Number, _ key: Key, _ isValid: (Number, String) -> Bool) throws -> Number {
        guard isValid(number, key.stringValue) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "out of range")
        }
        return number
    }
}
