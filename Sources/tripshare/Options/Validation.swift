import ArgumentParser
import TripText

/// Throws a usage error with the text of a key unless a condition holds.
func require(_ condition: Bool, _ key: CommandKey) throws(ValidationError) {
    guard condition else { throw ValidationError(key) }
}

extension Optional where Wrapped: Comparable {
    /// Returns whether the value is absent or in a range.
    func isNilOrIn(_ range: some RangeExpression<Wrapped>) -> Bool { map(range.contains) ?? true }
}
