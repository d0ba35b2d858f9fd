import Foundation
import TripModel

/// An error answer of the service: `google.rpc.Status` in Google's usual wrapping, `{"error": {…}}`.
package struct ServiceError: Error, Sendable, Equatable {
    /// The HTTP status.
    package var httpStatus: Int
    /// The gRPC name, such as `PERMISSION_DENIED`; `nil` where the body was not Google's (a proxy's page, say).
    package var status: String?
    /// The service's own words; outside text.
    package var message: String?
    /// How long the service asks to wait: a `RetryInfo` detail.
    package var retryDelay: Duration?
    /// The IAM permission that the caller lacks: an `ErrorInfo` detail.
    package var missingPermission: String?

    /// The most of a message that is kept, in scalars.
    package static let longestMessage = 2000

    /// An error of the given parts.
    package init(httpStatus: Int, status: String? = nil, message: String? = nil, retryDelay: Duration? = nil) {
        self.httpStatus = httpStatus
        self.status = status
        self.message = message
        self.retryDelay = retryDelay
    }

    /// Reads an error answer; whatever the body is, an error comes out, if need be of the HTTP status alone.
    package init(httpStatus: Int, body: [UInt8]) {
        self.init(httpStatus: httpStatus)
        // A body that is not Google's is not a fault of its own: the HTTP status says all that is known.
        guard let wrapper = try? JSONDecoder().decode(Wrapper.self, from: Data(body)) else { return }
        status = wrapper.error.status?.boundedName
        message = wrapper.error.message?.bounded(to: Self.longestMessage)
        let details = wrapper.error.details?.elements ?? []
        retryDelay = details.lazy.compactMap(\.retryDelay).compactMap(DurationText.duration).first
        missingPermission = details.lazy.compactMap(\.metadata?.permission).first?.boundedName
    }

    /// The body that says this error.
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
