import Failures
import FleetEngineProtos
import FleetWire
import GRPCCore
import Runtime
import SwiftProtobuf
import Testing
import TripTestSupport

@testable import FleetEmulator

@Suite("Errors over gRPC", .ends(within: .quickTest))
struct ErrorTests {
    private static func error(
        _ status: Int,
        _ body: String,
        headers: [(name: String, value: String)] = []
    ) -> RPCError {
        RPCError(HTTPTransportResponse(status: status, headers: headers, body: Array(body.utf8)))
    }

    private static func status(_ error: RPCError) throws -> Google_Rpc_Status {
        let bytes = try #require(Array(error.metadata[binaryValues: "grpc-status-details-bin"]).first)
        return try Google_Rpc_Status(serializedBytes: bytes)
    }

    @Test func `code, message and details of the service arrive`() throws {
        var missing = ServiceError(httpStatus: 403, status: "PERMISSION_DENIED", message: "no")
        missing.answer.missingPermission = "fleetengine.trips.get"
        missing.answer.retryDelay = .seconds(3)
        let error = RPCError(HTTPTransportResponse(status: 403, body: missing.body))
        #expect(error.code == .permissionDenied && error.message == "no")
        let status = try Self.status(error)
        #expect(status.code == 7 && status.message == "no" && status.details.count == 2)
        #expect(try Google_Rpc_RetryInfo(unpackingAny: status.details[0]).retryDelay.seconds == 3)
        let info = try Google_Rpc_ErrorInfo(unpackingAny: status.details[1])
        #expect(info.reason == "IAM_PERMISSION_DENIED" && info.domain == "fleetengine.googleapis.com")
        #expect(info.metadata == ["permission": "fleetengine.trips.get"])
    }

    @Test func `details of other types are left out`() throws {
        let error = Self.error(
            429,
            """
            {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "slow down", "details": [
            {"@type": "type.googleapis.com/google.rpc.LocalizedMessage", "message": "langsam"},
            {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"subject": "p", "new": 1}]},
            {"@type": "type.googleapis.com/google.rpc.Help", "links": [{"url": "https://a.example"}]}]}}
            """,
            headers: [("Retry-After", "7")]
        )
        let status = try Self.status(error)
        #expect(error.code == .resourceExhausted && status.details.count == 3)
        #expect(try Google_Rpc_QuotaFailure(unpackingAny: status.details[0]).violations[0].subject == "p")
        #expect(try Google_Rpc_Help(unpackingAny: status.details[1]).links[0].url == "https://a.example")
        #expect(try Google_Rpc_RetryInfo(unpackingAny: status.details[2]).retryDelay.seconds == 7)
    }

    @Test(arguments: [
        (400, RPCError.Code.invalidArgument), (401, .unauthenticated), (403, .permissionDenied), (404, .notFound),
        (409, .aborted), (429, .resourceExhausted), (500, .internalError), (501, .unimplemented), (502, .unavailable),
        (503, .unavailable), (504, .deadlineExceeded), (418, .unknown), (302, .unknown),
    ])
    func `an answer of another form has the code of its HTTP status`(status: Int, code: RPCError.Code) throws {
        for body in ["<html>", "", "[]", #"{"error": "no"}"#, #"{"error": {"status": "NEW_CODE"}}"#] {
            let error = Self.error(status, body)
            #expect(error.code == code && !error.message.isEmpty, "\(body)")
            #expect(try Self.status(error).code == Int32(code.rawValue))
        }
    }

    @Test func `FAILED_PRECONDITION and ALREADY_EXISTS are not confused with codes of the same HTTP status`() {
        #expect(Self.error(400, #"{"error": {"status": "FAILED_PRECONDITION"}}"#).code == .failedPrecondition)
        #expect(Self.error(409, #"{"error": {"status": "ALREADY_EXISTS"}}"#).code == .alreadyExists)
    }

    @Test func `a lost connection is UNAVAILABLE`() {
        #expect(RPCError(Failure.connectionLost).code == .unavailable)
        #expect(RPCError(Failure.cutOff).code == .unavailable)
        #expect(RPCError(Failure.cancelled).code == .cancelled)
    }
}
