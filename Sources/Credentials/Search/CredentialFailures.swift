import Failures
import FleetTokens

extension TokenSourceError {
    /// Creates the error of credentials from a row of the table of failures.
    static func credentials(
        _ code: FailureCode,
        _ values: [String: FailureValue] = [:]
    ) -> TokenSourceError {
        .credentials(Failure(code, values))
    }
}
