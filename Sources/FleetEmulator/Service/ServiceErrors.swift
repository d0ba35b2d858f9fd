import Failures
import FleetWire

/// The errors of the service by gRPC status, each with its HTTP status.
extension ServiceError {
    static func invalidArgument(_ message: String) -> Self {
        ServiceError(httpStatus: 400, status: "INVALID_ARGUMENT", message: message)
    }

    static func failedPrecondition(_ message: String) -> Self {
        ServiceError(httpStatus: 400, status: "FAILED_PRECONDITION", message: message)
    }

    /// The token is no JWT that an account of the project has signed.
    static let invalidJWT = unauthenticated("Request had invalid authentication credentials.")

    static func unauthenticated(_ message: String) -> Self {
        ServiceError(httpStatus: 401, status: "UNAUTHENTICATED", message: message)
    }

    static func permissionDenied(_ message: String) -> Self {
        ServiceError(httpStatus: 403, status: "PERMISSION_DENIED", message: message)
    }

    /// A permission that the role lacks; the detail names it.
    static func missingPermission(_ permission: String) -> Self {
        var error = permissionDenied("The caller does not have permission")
        error.answer.missingPermission = permission
        return error
    }

    static func notFound(_ id: String) -> Self {
        ServiceError(httpStatus: 404, status: "NOT_FOUND", message: "No entity with id \(id) exists")
    }

    static func alreadyExists(_ message: String) -> Self {
        ServiceError(httpStatus: 409, status: "ALREADY_EXISTS", message: message)
    }

    static let noSuchMethod = ServiceError(httpStatus: 404, status: "NOT_FOUND", message: "Method not found.")
    static let methodNotAllowed = ServiceError(
        httpStatus: 405,
        status: "UNIMPLEMENTED",
        message: "The method does not exist for this resource."
    )
    static let tooLarge = ServiceError(httpStatus: 413, status: "INVALID_ARGUMENT", message: "The body is too large.")
    static let requestTimeout = ServiceError(
        httpStatus: 408,
        status: "DEADLINE_EXCEEDED",
        message: "The body took too long to arrive."
    )
    static let unavailable = ServiceError(
        httpStatus: 503,
        status: "UNAVAILABLE",
        message: "The service is currently unavailable."
    )
}
