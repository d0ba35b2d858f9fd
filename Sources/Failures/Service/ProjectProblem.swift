/// The problem of a Cloud project for which the service refuses calls, whatever the token.
package enum ProjectProblem: Sendable, Equatable {
    /// The API is not enabled.
    case apiDisabled
    /// The project has no billing, is suspended, or a policy of its organization forbids the call.
    case blocked
    /// The project does not exist.
    case unknown

    /// Creates the problem that a message describes; `nil` if it describes none.
    ///
    /// A message may have names of resources, so that whole phrases count.
    init?(message: String) {
        let words = message.lowercased()
        func has(_ phrases: String...) -> Bool { phrases.contains(where: words.contains) }
        if has("requires billing", "billing to be enabled", "billing is disabled", "has been suspended") {
            self = .blocked
        } else if has("organization policy", "organization's policy", "organization's constraints") {
            self = .blocked
        } else if has("not been used in project", "it is disabled", "api is disabled", "is not enabled") {
            self = .apiDisabled
        } else {
            return nil
        }
    }
}
