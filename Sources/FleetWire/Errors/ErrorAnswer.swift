package import Failures
import FleetEngineProtos
import Runtime
package import SwiftProtobuf
import TripModel

/// The content of an error answer in Google's format, `{"error": {…}}`.
///
/// The object is `google.rpc.Status` with two differences: `code` is the HTTP status, and `status` the name of the gRPC status.
/// From the forms that proxies and gateways use, only the message is read: a list with one such object, `{"error": "…"}` with or
/// without `error_description` (RFC 6749, 5.2), and `{"message": "…"}`.
package struct ErrorAnswer {
    /// A detail, which is a message of any type.
    package struct Detail {
        fileprivate let type: String?
        fileprivate let json: [UInt8]

        /// Returns the detail as a message; `nil` if it does not have its form.
        package func decoded<Content: Message>(as type: Content.Type) -> Content? {
            // A detail of another form is not an error: status and message are sufficient.
            try? Content(jsonUTF8Bytes: json, options: .lenient)
        }

        /// The detail as it travels in other messages; `nil` if its type is not in the schema.
        package var packed: Google_Protobuf_Any? {
            let known: [any Message.Type] = [
                Google_Rpc_ErrorInfo.self, Google_Rpc_RetryInfo.self, Google_Rpc_QuotaFailure.self,
                Google_Rpc_Help.self, Google_Rpc_BadRequest.self, Google_Rpc_PreconditionFailure.self,
            ]
            return known.first(where: isA).flatMap(packed)
        }

        /// Whether the detail names this type.
        package func isA(_ message: any Message.Type) -> Bool {
            type == "type.googleapis.com/" + message.protoMessageName
        }

        private func packed(as type: any Message.Type) -> Google_Protobuf_Any? {
            // A message of this schema can always be packed.
            decoded(as: type).flatMap { try? Google_Protobuf_Any(message: $0) }
        }
    }

    /// The name of the gRPC status.
    package let status: String?
    /// The service's message; untrusted text.
    package let message: String?
    /// The details within ``ElementLimits``.
    package let details: [Detail]

    /// Parses a body; `nil` if it has another format.
    package init?(_ body: [UInt8]) {
        guard JSONBytes.hasFewValues(body) else { return nil }
        let body = JSONSplitter(bytes: body)
        func member(_ name: String, of object: Range<Int>) -> Range<Int>? {
            body.members(of: object)?.last { body.bytes[$0.key].elementsEqual("\"\(name)\"".utf8) }?.value
        }
        func text(_ name: String, of object: Range<Int>) -> String? {
            member(name, of: object).flatMap(body.scalar)?.string
        }
        guard let whole = body.root else { return nil }
        let root = body.elements(of: whole)?.first ?? whole
        guard let error = member("error", of: root), body.members(of: error) != nil else {
            let plain = ["error_description", "error", "message"].lazy.compactMap { text($0, of: root) }.first
            guard let plain, !plain.isEmpty else { return nil }
            (status, message, details) = (nil, plain, [])
            return
        }
        status = text("status", of: error)
        message = text("message", of: error)
        details = (member("details", of: error).flatMap(body.elements) ?? [])
            .prefix(ElementLimits.maximum(of: .errorDetails)).map { detail in
                Detail(
                    type: member("@type", of: detail).flatMap(body.scalar)?.string,
                    json: Array(body.bytes[detail])
                )
            }
    }
}

extension ServiceAnswer {
    /// Reads an error answer, `google.rpc.Status` in Google's format, `{"error": {…}}`; a text in another format is the message.
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
        let infos = answer.details.compactMap { $0.decoded(as: Google_Rpc_ErrorInfo.self) }
        missingPermission = infos.compactMap { $0.metadata["permission"] }.first?.boundedName
        violations = Self.violations(of: answer)
        reasons = infos.map(\.reason).filter { !$0.isEmpty }.map(\.boundedName)
    }

    /// Returns the values that are not valid, and then the conditions that do not hold.
    private static func violations(of answer: ErrorAnswer) -> [Violation] {
        let fields = answer.details.filter { $0.isA(Google_Rpc_BadRequest.self) }
            .compactMap { $0.decoded(as: Google_Rpc_BadRequest.self) }
            .flatMap(\.fieldViolations).prefix(mostViolations).map { Violation($0.field, $0.description_p) }
        let conditions = answer.details.filter { $0.isA(Google_Rpc_PreconditionFailure.self) }
            .compactMap { $0.decoded(as: Google_Rpc_PreconditionFailure.self) }
            .flatMap(\.violations).prefix(mostViolations).map {
                Violation($0.subject.isEmpty ? $0.type : $0.subject, $0.description_p)
            }
        return Array((fields + conditions).prefix(mostViolations))
    }

    /// Returns the first line of a text, as gateways write; `nil` for JSON, for a page and for other data.
    private static func plainText(_ body: [UInt8]) -> String? {
        guard JSONValue(body) == nil, let text = String(validating: body, as: UTF8.self) else { return nil }
        let line = text.trimmingPrefix(while: \.isWhitespace).prefix { !$0.isNewline }
        guard let first = line.first, !"<{[\"".contains(first) else { return nil }
        return String(line).bounded(to: longestMessage)
    }
}

/// The reason why bytes could not be decoded.
package enum WireError: Error, Sendable, Equatable {
    /// Invalid or truncated JSON; the reason comes from the parser.
    case notJSON(reason: String)
    /// JSON with an unexpected structure; the path gives the location.
    case unexpected(path: String, reason: String)
    /// A resource name that does not have a form such as `providers/{provider}/trips/{trip}`.
    case badName(String)
    /// An unknown field in a request; the path is the path of the message, empty for the body itself.
    case unknownName(String, path: String)
}
