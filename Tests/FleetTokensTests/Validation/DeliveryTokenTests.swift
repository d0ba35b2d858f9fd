import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport
import TripText

/// Tokens for shipments, tasks and delivery vehicles.
@Suite("Delivery tokens", .ends(within: .quickTest))
struct DeliveryTokenTests {
    private static let now = Date(timeIntervalSince1970: 1_767_225_600)
    private static let kinds = AuthorizationContext.Kind.allCases.filter { $0 != .server }

    private func token(_ members: [String: String]) -> String {
        var token = FakeToken(.server, issuedAt: Self.now)
        token.authorization = members
        return token.text
    }

    private func inspect(_ text: String, for context: AuthorizationContext?) -> TokenInspection {
        TokenInspection.inspect(text, TokenInspection.Expectations(context: context), now: Self.now)
    }

    private func finding(_ rule: TokenRule, _ inspection: TokenInspection) throws -> TokenFinding {
        try #require(inspection.findings.first { $0.rule == rule })
    }

    @Test(arguments: Self.kinds, Self.kinds)
    func `a token is for the subject that its claim names, and for no other kind`(
        _ own: AuthorizationContext.Kind,
        _ asked: AuthorizationContext.Kind
    ) throws {
        let text = token([own.claimName: "x-1"])
        let context = try AuthorizationContext(asked, "x-1")
        let inspection = inspect(text, for: context)
        let identity = try finding(.identity, inspection)
        let fault = inspection.fault(for: context, at: Moment(wall: Self.now, steady: .zero))
        #expect((identity.verdict == .satisfied) == (own == asked))
        #expect(fault == (own == asked ? nil : .tokenWrongKind))
        if own != asked { #expect(!Localizer.english(identity.sentence).contains("{{")) }
    }

    @Test(arguments: Self.kinds)
    func `a token for another ID of the kind is not accepted`(_ kind: AuthorizationContext.Kind) throws {
        let context = try AuthorizationContext(kind, "mine")
        let inspection = inspect(token([kind.claimName: "yours"]), for: context)
        #expect(inspection.fault(for: context, at: Moment(wall: Self.now, steady: .zero)) == .tokenBoundToAnother)
        #expect(try finding(.identity, inspection).verdict == .broken)
    }

    @Test(arguments: ["trackingId", "tracking_id", "TrackingID"])
    func `a misspelled claim is named`(_ name: String) throws {
        let context = AuthorizationContext.tracking(try TrackingID("t"))
        let inspection = inspect(token([name: "t"]), for: context)
        let fault = inspection.fault(for: context, at: Moment(wall: Self.now, steady: .zero))
        #expect(fault == .tokenMisspelledClaim(name, meant: "trackingid"))
    }

    @Test func `a tracking ID must be alone`() throws {
        let both = inspect(token(["trackingid": "a", "taskid": "b"]), for: nil)
        #expect(try finding(.scope, both).verdict == .broken)
        #expect(try finding(.scope, inspect(token(["trackingid": "a"]), for: nil)).verdict == .satisfied)
        let driver = inspect(token(["deliveryvehicleid": "v", "taskid": "b"]), for: nil)
        #expect(try finding(.scope, driver).verdict == .satisfied)
    }

    @Test func `a recipient's token with a wildcard is too broad, a driver's may cover all tasks`() throws {
        let now = Moment(wall: Self.now, steady: .zero)
        let tracking = AuthorizationContext.tracking(try TrackingID("t"))
        let driver = AuthorizationContext.deliveryVehicle(try DeliveryVehicleID("v"))
        let every = token(["trackingid": "*"])
        #expect(inspect(every, for: tracking).fault(for: tracking, at: now) == .tokenOverBroad)
        let tasks = token(["deliveryvehicleid": "v", "taskid": "*"])
        #expect(inspect(tasks, for: driver).fault(for: driver, at: now) == nil)
    }

    @Test(arguments: Self.kinds)
    func `a template has the placeholder of its kind, and refuses other kinds`(
        _ kind: AuthorizationContext.Kind
    ) throws {
        let placeholder = try #require(kind.placeholder)
        let template = try TokenURLTemplate("https://a.example/token/\(placeholder)")
        #expect(!template.isFixed)
        #expect(try template.url(for: AuthorizationContext(kind, "a b")) == "https://a.example/token/a%20b")
        for other in Self.kinds where other != kind {
            #expect(throws: Failure.sourceUnsupportedContext) {
                try template.url(for: AuthorizationContext(other, "x"))
            }
        }
    }
}
