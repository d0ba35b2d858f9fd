package import Failures
import FleetEngineProtos
import Runtime
import SwiftProtobuf
import TripModel

/// An error with which a service answers: what its clients read of the answer, and what else its body has.
package struct ServiceError: Error, Sendable, Equatable {
    /// What clients read.
    package var answer: ServiceAnswer
    /// Why Google's front end or its IAM refuses the call, for an `ErrorInfo` detail of this error's ``body``.
    package var cause: Cause?
    /// The values that are not valid, for a `BadRequest` detail of this error's ``body``.
    package var fieldViolations: [FieldViolation] = []

    /// The content of an `ErrorInfo` detail, and of a `Help` detail.
    package struct Cause: Sendable, Equatable {
        package var reason: String
        package var domain: String
        package var metadata: [String: String]
        /// A page about the remedy; `nil` for none.
        package var helpURL: String?
        /// What the page is about.
        package var helpText: String

        package init(
            _ reason: String,
            domain: String = "googleapis.com",
            metadata: [String: String] = [:],
            helpURL: String? = nil,
            helpText: String = ""
        ) {
            (self.reason, self.domain, self.metadata) = (reason, domain, metadata)
            (self.helpURL, self.helpText) = (helpURL, helpText)
        }
    }

    /// A value of a request that is not valid.
    package struct FieldViolation: Sendable, Equatable {
        /// The path of the field; empty if the request has no such field.
        package var field: String
        /// Why it is not valid.
        package var description: String
    }

    package init(httpStatus: Int, status: String? = nil, message: String? = nil, retryDelay: Duration? = nil) {
        answer = ServiceAnswer(httpStatus: httpStatus, status: status, message: message, retryDelay: retryDelay)
    }

    /// The body of this error.
    package var body: [UInt8] {
        var content = Google_Rpc_Status()
        content.code = Int32(clamping: answer.httpStatus)
        content.message = answer.message ?? ""
        var details: [any Message] = []
        if let retryDelay = answer.retryDelay {
            details.append(Google_Rpc_RetryInfo.with { $0.retryDelay = Google_Protobuf_Duration(retryDelay) })
        }
        if let missingPermission = answer.missingPermission {
            details.append(
                Google_Rpc_ErrorInfo.with {
                    ($0.reason, $0.domain) = ("IAM_PERMISSION_DENIED", "fleetengine.googleapis.com")
                    $0.metadata = ["permission": missingPermission]
                }
            )
        }
        if let cause { details += cause.details }
        if !fieldViolations.isEmpty {
            details.append(
                Google_Rpc_BadRequest.with {
                    $0.fieldViolations = fieldViolations.map { violation in
                        .with { ($0.field, $0.description_p) = (violation.field, violation.description) }
                    }
                }
            )
        }
        // A message of this schema can always be packed.
        content.details = details.compactMap { try? Google_Protobuf_Any(message: $0) }
        let json = MessageBytes.encode { _ in content }
        guard let status = answer.status else { return Array(#"{"error":"#.utf8) + json + Array("}".utf8) }
        return Array(#"{"error":"#.utf8) + json.dropLast() + Array((json.count > 2 ? "," : "").utf8)
            + Array(#""status":"#.utf8) + JSONBytes.encode(status) + Array("}}".utf8)
    }
}

extension ServiceError.Cause {
    /// The cause as messages; Google's front end sends the link first.
    fileprivate var details: [any Message] {
        let info = Google_Rpc_ErrorInfo.with {
            ($0.reason, $0.domain, $0.metadata) = (reason, domain, metadata)
        }
        guard let helpURL else { return [info] }
        let help = Google_Rpc_Help.with {
            $0.links = [.with { ($0.description_p, $0.url) = (helpText, helpURL) }]
        }
        return [help, info]
    }
}
