import Failures
import FleetWire
import Runtime
import Testing
import TripTestSupport

/// The values that an error answer calls wrong.
@Suite("Violations in error answers", .ends(within: .quickTest))
struct ViolationTests {
    private static func explanation(_ status: String, _ message: String, _ details: String) -> String? {
        let body = #"{"error":{"code":400,"status":"\#(status)","message":"\#(message)","details":[\#(details)]}}"#
        return ServiceAnswer(httpStatus: 400, body: Array(body.utf8)).explanation
    }

    private static func detail(_ type: String, _ members: String) -> String {
        #"{"@type":"type.googleapis.com/google.rpc.\#(type)",\#(members)}"#
    }

    @Test func `names each field with its description`() {
        let members = #""fieldViolations":[{"field":"trip.name","description":"too long"},{"description":"no view"}]"#
        let found = Self.explanation("INVALID_ARGUMENT", "Invalid argument.", Self.detail("BadRequest", members))
        #expect(found == "Invalid argument. · trip.name: too long · no view")
    }

    @Test func `names each condition with its description`() {
        let members = #""violations":[{"type":"STATE","subject":"trips/t","description":"The trip has ended."}]"#
        let detail = Self.detail("PreconditionFailure", members)
        let found = Self.explanation("FAILED_PRECONDITION", "Failed.", detail)
        #expect(found == "Failed. · trips/t: The trip has ended.")
    }

    @Test func `what the message says is not repeated, and lists of other details are no conditions`() {
        let members = #""fieldViolations":[{"field":"trip_id","description":"trip_id is empty"}]"#
        let said = Self.explanation("INVALID_ARGUMENT", "trip_id is empty", Self.detail("BadRequest", members))
        #expect(said == "trip_id is empty")
        let quota = Self.detail("QuotaFailure", #""violations":[{"subject":"p","description":"too many"}]"#)
        #expect(Self.explanation("INVALID_ARGUMENT", "No.", quota) == "No.")
    }

    @Test func `retains few violations, each bounded, clean and without tokens`() throws {
        let long = String(repeating: "a", count: 5000)
        let violation = #"{"field":"\#(long)","description":"a\\u0000b Bearer eyJhbGciOiJub25lIn0.e30.c2ln"}"#
        let members = #""fieldViolations":[\#(Array(repeating: violation, count: 40).joined(separator: ","))]"#
        let body = #"{"error":{"status":"INVALID_ARGUMENT","details":[\#(Self.detail("BadRequest", members))]}}"#
        let answer = ServiceAnswer(httpStatus: 400, body: Array(body.utf8))
        #expect(answer.violations.count == 3)
        let explanation = try #require(answer.explanation)
        #expect(explanation.count < 1000 && !explanation.contains("eyJhbGci"))
    }
}
