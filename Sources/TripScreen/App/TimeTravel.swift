/// What a user can do with the past of a running session.
package enum TimeTravelCommand: Sendable, Equatable {
    /// Show the past, or return to the present.
    case toggle
    /// Switch between the past and the present.
    case compare
}
