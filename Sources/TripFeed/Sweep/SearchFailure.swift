package import Failures
package import Runtime
import TripModel

/// A failed search for the trips of a project.
package struct SearchFailure: Sendable {
    package let failure: Failure
    /// When the search began, before it had a token.
    package let started: Moment
    /// Whether the search before it failed, too.
    package let isRepeated: Bool

    package init(_ failure: Failure, started: Moment, isRepeated: Bool) {
        (self.failure, self.started, self.isRepeated) = (failure, started, isRepeated)
    }
}
