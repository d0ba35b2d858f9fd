import Failures
import FleetTokens
import Testing
import TripTestSupport

/// Statuses in the terms of their protocol.
@Suite("Statuses of answers", .ends(within: .quickTest))
struct AnswerStatusTests {
    @Test(arguments: StatusCode.allCases)
    func `a gRPC status has its name and the HTTP status of the same answer over REST`(code: StatusCode) {
        let status = AnswerStatus.grpc(code.rawValue)
        #expect(status.name == code.name && status.label == code.name)
        #expect(status.httpStatus == code.httpStatus && status.isSuccess == (code == .ok))
        #expect(AnswerStatus(httpStatus: status.httpStatus, grpcStatus: status.grpcStatus) == status)
    }

    @Test func `an HTTP status has its number`() {
        let status: AnswerStatus = 403
        #expect(status == .http(403) && status.name == "403" && status.label == "HTTP 403")
        #expect(status.grpcStatus == nil && status.httpStatus == 403 && !status.isSuccess)
        #expect(AnswerStatus(httpStatus: 403, grpcStatus: nil) == status)
    }

    @Test func `an unknown gRPC status counts as UNKNOWN`() {
        #expect(AnswerStatus.grpc(99).name == "UNKNOWN" && AnswerStatus.grpc(99).httpStatus == 500)
    }
}
