// The names of the values of failures: placeholders in texts and names in recordings. Each type of values has its own, so that
// the compiler finds a misspelt name and a value of another type.

/// The names of texts.
package enum FailureText: String, CaseIterable, Sendable {
    // Connections and answers; `said` is the title of a page or the position of a parser.
    case answered, host, reason, said
    // Sources of tokens; `errors` is the end of a helper's standard error.
    case errors, header, key, variable
    // Credentials of a backend; `origin` is where a token of another provider comes from.
    case account, audience, caller, claims, error, origin, path, permission, place, project, scopes
    case subject, type, value
    // Tokens
    case claim, endpoint, meant, name, token
    /// The form of the claim `authorization`.
    case authorization = "form"
    /// The status with which the service refused a token, as it is shown.
    case statusLabel = "status"
}

/// The names of numbers; `status` is the HTTP status or the exit status of a command.
package enum FailureNumber: String, CaseIterable, Sendable { case bytes, grpc, http, limit, signal, status }

/// The names of sizes in bytes.
package enum FailureSize: String, CaseIterable, Sendable { case sizeLimit = "limit" }

/// The names of durations.
package enum FailureDuration: String, CaseIterable, Sendable { case difference, duration, left, lifetime, wanted }

/// The names of lists.
package enum FailureList: String, CaseIterable, Sendable { case known, places }

/// The names of names of this program.
package enum FailureTerm: String, CaseIterable, Sendable {
    case form
    /// A reason in the words of this program.
    case namedReason = "reason"
}
