import ArgumentParser
import TripText

/// Throws a usage error with a text unless a condition holds.
func require(_ condition: Bool, _ text: Text) throws(ValidationError) {
    guard condition else { throw ValidationError(text) }
}

extension Optional where Wrapped: Comparable {
    /// Returns whether the value is absent or in a range.
    func isNilOrIn(_ range: some RangeExpression<Wrapped>) -> Bool { map(range.contains) ?? true }
}
