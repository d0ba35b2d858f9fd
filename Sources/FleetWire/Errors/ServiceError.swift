import FleetEngineProtos
import SwiftProtobuf
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
    /// Why Google's front end or its IAM refuses the call, for an `ErrorInfo` detail of this error's ``body``.
    package var cause: Cause?
    /// The values that are not valid, for a `BadRequest` detail of this error's ``body``.
    package var fieldViolations: [FieldViolation] = []
    /// Whether an `ErrorInfo` detail says why, so that the message need not.
    private(set) var hasReason = false
    /// The problem of the Cloud project in an `ErrorInfo` detail.
    private(set) var reportedProblem: ProjectProblem?

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

        package init(field: String, description: String) {
            (self.field, self.description) = (field, description)
        }
    }

    /// The maximum number of scalars of a message.
    package static let longestMessage = 2000

    package init(httpStatus: Int, status: String? = nil, message: String? = nil, retryDelay: Duration? = nil) {
        self.httpStatus = httpStatus
        self.status = status
        self.message = message
        self.retryDelay = retryDelay
    }

    /// Whether the answer is not in Google's format, so that a gateway or a proxy has sent it.
    package var isForeign: Bool { status == nil && grpcStatus == nil }

    /// Whether the service may answer the same request soon: after an outage, an overload or a conflict.
    package var isTemporary: Bool {
        switch httpStatus {
        // An unknown method (501, UNIMPLEMENTED) stays unknown.
        case 408, 429, 499, 500, 502...: true
        case 409: status == StatusCode.aborted.name
        default: false
        }
    }

    /// Parses an error answer; a text in another format is the message.
    package init(httpStatus: Int, body: [UInt8]) {
        self.init(httpStatus: httpStatus)
        guard let answer = ErrorAnswer(body) else {
            message = Self.plainText(body)
            return
        }
        status = answer.status?.boundedName
        message = answer.message.flatMap {
            $0.allSatisfy(\.isWhitespace) ? nil : $0.bounded(to: Self.longestMessage)
        }
        retryDelay =
            answer.details.lazy.compactMap { $0.decoded(as: Google_Rpc_RetryInfo.self) }
            .first(where: \.hasRetryDelay)?.retryDelay.length
        let reasons = answer.details.compactMap { $0.decoded(as: Google_Rpc_ErrorInfo.self) }
        missingPermission = reasons.compactMap { $0.metadata["permission"] }.first?.boundedName
        hasReason = reasons.contains { !$0.reason.isEmpty }
        reportedProblem = reasons.compactMap { ProjectProblem(reason: $0.reason) }.first
    }

    /// Returns the first line of a text, as gateways write; `nil` for JSON, for a page and for other data.
    private static func plainText(_ body: [UInt8]) -> String? {
        guard JSONValue(body) == nil, let text = String(validating: body, as: UTF8.self) else { return nil }
        let line = text.trimmingPrefix(while: \.isWhitespace).prefix { !$0.isNewline }
        guard let first = line.first, !"<{[\"".contains(first) else { return nil }
        return String(line).bounded(to: longestMessage)
    }

    /// The body of this error.
    package var body: [UInt8] {
        var content = Google_Rpc_Status()
        content.code = Int32(clamping: httpStatus)
        content.message = message ?? ""
        var details: [any Message] = []
        if let retryDelay {
            details.append(Google_Rpc_RetryInfo.with { $0.retryDelay = Google_Protobuf_Duration(retryDelay) })
        }
        if let missingPermission {
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
        guard let status else { return Array(#"{"error":"#.utf8) + json + Array("}".utf8) }
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
