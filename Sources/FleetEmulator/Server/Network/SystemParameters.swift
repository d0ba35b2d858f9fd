import FleetWire
import TripModel

/// The parameters that Google's front end accepts for every method.
extension PlainRequest {
    /// The header with the selected fields.
    static let fieldMaskHeader = "x-goog-fieldmask"

    /// The names from "System parameters" in Google Cloud's API documentation; each may begin with `$`.
    private static let systemParameters: Set<String> = [
        ".xgafv", "access_token", "alt", "apiKey", "callback", "ct", "fields", "httpHeaders", "httpMethod", "key",
        "oauth_token", "outputDefaults", "pp", "prettyPrint", "quotaUser", "req", "trace", "unique", "uploadType",
        "upload_protocol", "userIp", "userProject", "xgafv",
    ]

    /// The maximum number of refused parameters in an error.
    private static let maximumViolations = 20

    /// Refuses parameters that the method does not have.
    func checkParameters(of method: RESTMethod) throws(ServiceError) {
        let others = query.filter { !Self.systemParameters.contains(String($0.name.trimmingPrefix("$"))) }
        let violations = others.prefix(Self.maximumViolations).compactMap { method.refusal(ofParameter: $0.name) }
        guard violations.isEmpty else {
            throw .badRequest(violations.map { .init(field: "", description: $0) })
        }
    }

    /// Returns the fields that the caller wants; `nil` for all of them.
    func fieldSelection(of method: RESTMethod) throws(ServiceError) -> FieldSelection? {
        let parameter = query.last { ["fields", "$fields"].contains($0.name) }?.value
        guard let text = parameter ?? fieldMask, !text.isEmpty else { return nil }
        guard let selection = FieldSelection(text) else {
            throw .badSelection("fields", "The syntax is not valid.")
        }
        if let path = method.unknownPath(in: selection) {
            throw .badSelection(path, "Cannot find matching fields for path '\(path.bounded(to: 200))'.")
        }
        return selection
    }
}

extension ServiceError {
    /// Returns the error for values that are not valid; the message is the descriptions.
    fileprivate static func badRequest(_ violations: [FieldViolation]) -> Self {
        var error = invalidArgument(violations.map(\.description).joined(separator: "\n"))
        error.fieldViolations = violations
        return error
    }

    fileprivate static func badSelection(_ field: String, _ reason: String) -> Self {
        var error = invalidArgument("Request contains an invalid argument.")
        error.fieldViolations = [
            FieldViolation(
                field: field.bounded(to: 200),
                description: "Error expanding 'fields' parameter. \(reason)"
            )
        ]
        return error
    }
}
