import Failures
import FleetWire
import Testing
import TripTestSupport

@Suite("Problems of a Cloud project", .ends(within: .quickTest))
struct ProjectProblemTests {
    private func error(_ status: Int, _ message: String, reason: String? = nil) -> ServiceAnswer {
        let type = "type.googleapis.com/google.rpc.ErrorInfo"
        let details = reason.map { #","details":[{"@type":"\#(type)","reason":"\#($0)"}]"# } ?? ""
        let body = #"{"error":{"code":\#(status),"status":"PERMISSION_DENIED","message":"\#(message)"\#(details)}}"#
        return ServiceAnswer(httpStatus: status, body: Array(body.utf8))
    }

    @Test(arguments: [
        ("SERVICE_DISABLED", ProjectProblem.apiDisabled), ("BILLING_DISABLED", .blocked),
        ("CONSUMER_SUSPENDED", .blocked), ("SECURITY_POLICY_VIOLATED", .blocked),
        ("RESOURCE_USAGE_RESTRICTION_VIOLATED", .blocked), ("CONSUMER_INVALID", .unknown),
        ("IAM_PERMISSION_DENIED", nil), ("", nil),
    ])
    func `are known by the reason in the details`(_ reason: String, _ problem: ProjectProblem?) {
        #expect(error(403, "No.", reason: reason).projectProblem == problem)
    }

    @Test func `are not guessed from a message if there is a reason`() {
        let message = "It is disabled: Permission 'x' denied on resource '//providers/acme-billing'."
        #expect(error(403, message, reason: "IAM_PERMISSION_DENIED").projectProblem == nil)
        #expect(error(403, message).projectProblem == .apiDisabled)
    }

    @Test(arguments: [
        ("Fleet Engine API has not been used in project 12 before or it is disabled.", ProjectProblem.apiDisabled),
        ("The API is not enabled.", .apiDisabled), ("This API method requires billing to be enabled.", .blocked),
        ("Project 12 has been suspended.", .blocked), ("Request is prohibited by organization's policy.", .blocked),
        ("Request is disallowed by organization's constraints/gcp.restrictServiceUsage constraint.", .blocked),
        ("The caller does not have permission", nil),
        ("Permission 'fleetengine.trips.get' denied on resource '//providers/acme-billing/trips/suspended'", nil),
    ])
    func `are known by the message`(_ message: String, _ problem: ProjectProblem?) {
        #expect(error(403, message).projectProblem == problem)
        #expect(ServiceAnswer(httpStatus: 403, message: message).projectProblem == problem)
        #expect(error(401, message).projectProblem == nil)
    }
}
