package import Failures
import FleetEngineProtos
import Foundation
import SwiftProtobuf

/// A `google.rpc.Status` in the form of an error answer over REST, `{"error": {…}}`, but with its own code.
package enum StatusBody {
    /// Returns the body for a status.
    ///
    /// - Parameters:
    ///   - code: The received code.
    ///   - message: The received message.
    ///   - details: The value of `grpc-status-details-bin`; `nil` without one.
    /// - Returns: The body.
    package static func bytes(_ code: StatusCode, message: String, details: [UInt8]?) -> [UInt8] {
        // Invalid details are not an error: code and message are sufficient.
        let status = details.flatMap { try? Google_Rpc_Status(serializedBytes: $0) }
        let text = message.isEmpty ? status?.message ?? "" : message
        var error: [String: any Sendable] = ["code": code.rawValue, "status": code.name, "message": text]
        let list = status?.details.prefix(mostDetails).compactMap(object) ?? []
        if !list.isEmpty { error["details"] = list }
        // Names, numbers and texts always have a JSON form.
        let body = try? JSONSerialization.data(
            withJSONObject: ["error": error],
            options: [.sortedKeys, .withoutEscapingSlashes]
        )
        return body.map { [UInt8]($0) } ?? []
    }

    private static let mostDetails = 20

    /// The details that the schema describes.
    private static let known: [any Message.Type] = [
        Google_Rpc_ErrorInfo.self, Google_Rpc_RetryInfo.self, Google_Rpc_QuotaFailure.self, Google_Rpc_Help.self,
        Google_Rpc_BadRequest.self, Google_Rpc_PreconditionFailure.self,
    ]

    /// Returns a detail as JSON object; only its type if the schema does not describe it.
    private static func object(_ detail: Google_Protobuf_Any) -> [String: any Sendable]? {
        var object: [String: any Sendable] = [:]
        if let type = known.first(where: { detail.isA($0) }) {
            // An invalid detail has only a type, too.
            if let message = try? type.init(unpackingAny: detail), let json: Data = try? message.jsonUTF8Data(),
                let fields = try? JSONSerialization.jsonObject(with: json) as? [String: any Sendable]
            {
                object = fields
            }
        }
        object["@type"] = detail.typeURL
        return object
    }
}
