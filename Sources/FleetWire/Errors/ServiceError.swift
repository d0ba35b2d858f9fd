import Foundation
import TripModel

/// An error answer: `google.rpc.Status` in Google's format, `{"error": {…}}`.
package struct ServiceError: Error, Sendable, Equatable {
    /// The HTTP status; over gRPC that of the same error over REST.
    package var httpStatus: Int
    /// The status number of an answer over gRPC; `nil` over REST.
    package var grpcStatus: StatusCode?
    /// The gRPC status, such as `PERMISSION_DENIED`; `nil` if the body is not in Google's format (for example a proxy's page).
    package var status: String?
    /// The service's message; untrusted text.
    package var message: String?
    /// The wait that the service requests, from a `RetryInfo` detail.
    package var retryDelay: Duration?
    /// The IAM permission that the caller lacks, from an `ErrorInfo` detail.
    package var missingPermission: String?

    /// The maximum number of scalars of a message.
    package static let longestMessage = 2000

    /// Creates an error.
    package init(httpStatus: Int, status: String? = nil, message: String? = nil, retryDelay: Duration? = nil) {
        self.httpStatus = httpStatus
        self.status = status
        self.message = message
        self.retryDelay = retryDelay
    }

    /// Parses an error answer; falls back to the HTTP status alone for an invalid body.
    package init(httpStatus: Int, body: [UInt8]) {
        self.init(httpStatus: httpStatus)
        // A body in another format is not an error: the HTTP status is sufficient.
        guard JSONBytes.hasFewValues(body), let wrapper = try? JSONDecoder().decode(Wrapper.self, from: Data(body))
        else { return }
        status = wrapper.error.status?.boundedName
        message = wrapper.error.message?.bounded(to: Self.longestMessage)
        let details = wrapper.error.details?.elements ?? []
        retryDelay = details.lazy.compactMap(\.retryDelay).compactMap(DurationText.duration).first
        missingPermission = details.lazy.compactMap(\.metadata?.permission).first?.boundedName
    }

    /// The body of this error.
    package var body: [UInt8] {
        var details: [Detail] = []
        if let retryDelay {
            var detail = Detail(type: "type.googleapis.com/google.rpc.RetryInfo")
            detail.retryDelay = DurationText.text(retryDelay)
            details.append(detail)
        }
        if let missingPermission {
            var detail = Detail(type: "type.googleapis.com/google.rpc.ErrorInfo")
            (detail.reason, detail.domain) = ("IAM_PERMISSION_DENIED", "fleetengine.googleapis.com")
            detail.metadata = Metadata(permission: missingPermission)
            details.append(detail)
        }
        let wrapper = Wrapper(
            error: Content(code: httpStatus, message: message, status: status, details: details.bounded { $0 })
        )
        return JSONBytes.encode(wrapper)
    }

    private struct Wrapper: Codable {
        var error: Content
    }

    private struct Content: Codable {
        var code: Int?
        var message: String?
        var status: String?
        var details: BoundedList<Detail>?
    }

    private struct Metadata: Codable, Equatable {
        var permission: String?
    }

    private struct Detail: BoundedElement {
        static var kind: ElementKind { .errorDetails }

        var type: String?
        var retryDelay: String?
        var reason: String?
        var domain: String?
        var metadata: Metadata?

        enum CodingKeys: String, CodingKey {
            case type = "@type"
            case retryDelay
            case reason
            case domain
            case metadata
        }
    }
}
