import Failures
import FleetWire
import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import SwiftProtobuf
import TripFeed

/// What came back from a call.
struct CallAnswer: Sendable {
    /// The metadata of the beginning, and then of the end; empty if there was no answer.
    private(set) var metadata: [(name: String, value: String)] = []
    /// The text of the status.
    private var text = ""
    /// The binary `google.rpc.Status`.
    private var details: [UInt8]?
    /// The beginning of the body of an answer that is not gRPC.
    private var nonGRPCBody: [UInt8] = []
    /// The serialized message.
    private var message: [UInt8]?
    /// Whether the answer has begun.
    private var hasBegun = false
    /// The number of messages.
    private var messages = 0
    /// The error of the library.
    private var error: RPCError?
    private var cause: (any Error)?
    private var isCancelled = false

    /// Creates the result of a call without an answer.
    init(failedBy error: any Error) {
        isCancelled = Task.isCancelled || error is CancellationError
        self.error = error as? RPCError
        cause = error
    }

    /// Collects an answer.
    init(collecting response: StreamingClientResponse<[UInt8]>) async {
        var error: (any Error)?
        switch response.accepted {
        case .failure(let failure):
            add(failure.metadata)
            error = failure
        case .success(let contents):
            hasBegun = true
            add(contents.metadata)
            do {
                for try await part in contents.bodyParts {
                    switch part {
                    case .message(let bytes):
                        messages += 1
                        if messages == 1 { message = bytes }
                    case .trailingMetadata(let trailers): add(trailers)
                    }
                }
            } catch let failure as RPCError {
                add(failure.metadata)
                error = failure
            } catch let failure {
                error = failure
            }
        }
        isCancelled = Task.isCancelled
        self.error = error as? RPCError
        cause = error
    }

    private mutating func add(_ new: Metadata) {
        for (name, value) in new where metadata.count < Self.mostMetadata || name.hasPrefix(AnswerMarks.namePrefix) {
            switch value {
            case .string(let text):
                metadata.append((name, text))
                // gRPC's rules allow base64 without padding, which grpc-swift-nio-transport 2.9.2 does not decode: see
                // `HostileStatusTests`, “details without padding arrive”.
                if name == "grpc-status-details-bin" { details = Self.unpadded(text) }
            case .binary(let bytes) where name == "grpc-status-details-bin": details = bytes
            case .binary(let bytes) where name == AnswerMarks.message: text = String(decoding: bytes, as: UTF8.self)
            case .binary(let bytes) where name == AnswerMarks.body: nonGRPCBody = bytes
            case .binary: break
            }
        }
    }

    /// Decodes base64 without padding; `nil` if it is not base64.
    private static func unpadded(_ text: String) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text + padding).map { [UInt8]($0) }
    }

    /// The maximum number of metadata; the library limits their size.
    private static let mostMetadata = 200

    private func value(_ name: String) -> String? { metadata.first { $0.name == name }?.value }

    // MARK: Failures

    /// Returns why there is no answer; `nil` if there is one.
    ///
    /// - Parameters:
    ///   - connection: The error of the connection.
    ///   - limit: The maximum size of a message in bytes.
    /// - Returns: The error.
    func fault(connection: (any Error)?, limit: Int) -> Failure? {
        if value(AnswerMarks.tooLong) != nil { return .tooLarge(limit: limit) }
        if let reason = value(AnswerMarks.malformed) { return .malformed(reason: reason) }
        if value(AnswerMarks.status) != nil || value(AnswerMarks.httpStatus) != nil || isWebPage { return nil }
        if isCancelled { return .cancelled }
        if let name = value(AnswerMarks.reset) {
            return .other(reason: "the service ended the call with the HTTP/2 error \(name)")
        }
        switch error?.code {
        case .deadlineExceeded?: return .timedOut
        case .unavailable?: return unavailable(connection)
        case let code?:
            // The resolver's error for a host name.
            if code == .internalError, message(of: error).hasPrefix("Couldn't resolve address") { return .unknownHost }
            if let connection { return Failure(connection, limit: limit) }
            return .other(reason: "the answer is not gRPC: \(message(of: error))")
        case nil:
            return cause.map { Failure($0, limit: limit) }
                ?? .other(reason: "the answer is not gRPC: there is no status")
        }
    }

    private func message(of error: RPCError?) -> String { error?.message ?? "" }

    private func unavailable(_ connection: (any Error)?) -> Failure {
        var causes: [any Error] = []
        var next = error?.cause
        while let error = next, causes.count < 8 {
            causes.append(error)
            next = (error as? RPCError)?.cause ?? (error as? RuntimeError)?.cause
        }
        if causes.contains(where: { ($0 as? RPCError)?.message.hasPrefix("Couldn't resolve address") == true }) {
            return .unknownHost
        }
        // The reason of the connection is more precise than the reason of the library; the innermost cause is the first cause.
        let known =
            [connection].compactMap(\.self) + causes.reversed().filter { !($0 is RPCError || $0 is RuntimeError) }
        if let first = known.first { return Failure(first, limit: 0) }
        return hasBegun ? .cutOff : .connectionLost
    }

    private var isWebPage: Bool { value("content-type")?.lowercased().hasPrefix("text/html") == true }

    // MARK: Answers

    /// What has been received of an answer that is not complete or not valid; `nil` before its beginning.
    var partial: HTTPTransportResponse? {
        let status = value(AnswerMarks.httpStatus).flatMap(Int.init)
        guard hasBegun || status != nil else { return nil }
        return HTTPTransportResponse(status: status ?? 200, headers: headers, body: message ?? nonGRPCBody)
    }

    /// The metadata that the server sent.
    private var headers: [(name: String, value: String)] {
        metadata.compactMap { name, value in
            if name == AnswerMarks.encoding { return ("grpc-encoding", value) }
            return name.hasPrefix(AnswerMarks.namePrefix) || name.hasPrefix(":") ? nil : (name, value)
        }
    }

    /// Returns the answer in the form of REST.
    func decoded(as call: FleetCall) -> FleetAnswer {
        guard let received = value(AnswerMarks.status) else {
            let status = value(AnswerMarks.httpStatus).flatMap(Int.init) ?? 200
            // A missing trip has a gRPC status: here something else does not know the path. The text comes from a gateway.
            let text = status == 404 ? ErrorAnswer(nonGRPCBody)?.message.map { Array($0.utf8) } : nil
            return FleetAnswer(HTTPTransportResponse(status: status, headers: headers, body: text ?? nonGRPCBody))
        }
        // An unknown number counts as UNKNOWN, by gRPC's rule.
        let code = Int(received).flatMap(StatusCode.init(rawValue:)) ?? .unknown
        guard code == .ok else {
            let body = StatusBody.bytes(code, message: text, details: details)
            return FleetAnswer(
                HTTPTransportResponse(status: code.httpStatus, headers: headers, body: body),
                remote: FleetAnswer.Remote(status: code)
            )
        }
        guard let message, messages == 1 else {
            return FleetAnswer(
                HTTPTransportResponse(status: 200, headers: headers),
                remote: FleetAnswer.Remote(status: code, problem: "it has \(messages) messages instead of one")
            )
        }
        var remote = FleetAnswer.Remote(status: code, messageBytes: message.count)
        var body: [UInt8] = []
        do {
            body = try call.serviceMethod.answer.init(serializedBytes: message).jsonUTF8Bytes()
        } catch {
            remote.problem = "the message can't be decoded: \(error)"
        }
        return FleetAnswer(HTTPTransportResponse(status: 200, headers: headers, body: body), remote: remote)
    }
}

/// The header `grpc-message`: percent-encoded UTF-8, by gRPC's rules.
package enum StatusMessage {
    /// Decodes a message.
    ///
    /// - Parameter text: The value of the header.
    /// - Returns: The bytes of the message; the bytes of an invalid escape remain unchanged, by gRPC's rules.
    package static func decoded(_ text: String) -> [UInt8] {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = digit(rest.first), let low = digit(rest.dropFirst().first) {
                result.append(high << 4 | low)
                rest.removeFirst(2)
            } else {
                result.append(byte)
            }
        }
        return result
    }

    /// Returns the value of a hexadecimal digit; `nil` for another character.
    private static func digit(_ byte: UInt8?) -> UInt8? {
        guard let byte, byte < 0x80 else { return nil }
        return Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
