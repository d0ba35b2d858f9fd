import Canvas
import Failures
import FleetWire
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport

/// What the views show about calls over gRPC, and about trips that were read with a server token.
@Suite("Calls over gRPC in the views", .ends(within: .quickTest))
struct RemoteCallViewTests {
    private let journey: JourneyID
    private static let now = Moment(wall: Ride.start, steady: .seconds(1000))

    init() throws {
        journey = try Ride().id()
    }

    private func report(_ status: StatusCode, rootCertificate: String? = nil) throws -> PollReport {
        var report = PollReport(journey: journey, started: Self.now)
        let request = Call.Request(
            own: "POST",
            "\(rootCertificate == nil ? "http" : "https")://localhost:50051/maps.fleetengine.v1.TripService/GetTrip",
            over: .grpc,
            headers: [Call.Request.authorization],
            body: Array(#"{"name":"providers/p/trips/it's"}"#.utf8),
            options: ConnectionOptions([.cacert: rootCertificate])
        )
        var body: [UInt8]?
        if status == .ok {
            report.outcome = .success(.trip(try Ride().trip(at: 20)))
        } else {
            var error = ServiceError(httpStatus: status.httpStatus, status: status.name, message: "Because.")
            error.answer.grpcStatus = status
            report.outcome = .failure(.service(error.answer, retryAfter: nil))
            body = error.body
        }
        report.call = .sample(
            about: journey.name,
            request,
            status: status.httpStatus,
            grpcStatus: status.rawValue,
            body: body,
            bytes: 812,
            at: Self.now,
            failure: report.failure
        )
        return report
    }

    private func state(_ reports: [PollReport], width: Int = 140) -> State {
        var state = State(
            trips: [journey],
            settings: State.Settings(host: "localhost:50051", speed: 1),
            now: Self.now,
            width: width,
            height: 60
        )
        for report in reports {
            var known = TripState(id: journey)
            if case .success(let answer) = report.outcome { known.merge(answer, serverDate: nil, at: Self.now) }
            let schedule = PollSchedule(interval: .seconds(5), next: .seconds(1005))
            _ = state.update(.feed(.polled(report, known, schedule)))
        }
        return state
    }

    private func show(_ view: Character, _ reports: [PollReport]) -> String {
        var state = state(reports)
        _ = state.update(.key(.character(view)))
        return TripScreen.view(state).text
    }

    @Test func `the Network view has the method, the names of the statuses and the size of the message`() throws {
        let text = show("4", [try report(.ok), try report(.permissionDenied)])
        for words in [
            "gRPC", "TripService/GetTrip", "OK ×1", "PERMISSION_DENIED ×1", "grpcurl -plaintext", "812 B",
        ] {
            #expect(text.contains(words), "\(words): \(text)")
        }
        #expect(!text.contains("403") && !text.contains("curl -sS"), "\(text)")
    }

    @Test func `the table of errors has the names of gRPC`() throws {
        var state = state([try report(.ok)])
        _ = state.update(.resized(width: 120, height: 120))
        for key in "4?" { _ = state.update(.key(.character(key))) }
        let text = TripScreen.view(state).text
        for code in [
            "INVALID_ARGUMENT", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND", "RESOURCE_EXHAUSTED",
            "UNAVAILABLE",
            "DEADLINE_EXCEEDED",
        ] {
            #expect(text.contains(code), "\(code): \(text)")
        }
        #expect(!text.contains("429"), "\(text)")
    }

    @Test func `the last result and the Inspector have the gRPC status`() throws {
        #expect(show("1", [try report(.ok)]).contains(" OK in"))
        let text = show("5", [try report(.unavailable)])
        #expect(text.contains("· UNAVAILABLE ·") && !text.contains("HTTP"), "\(text)")
        #expect(show("1", [try report(.unavailable)]).contains("✗ UNAVAILABLE"))
    }

    @Test func `the command can be pasted into a shell`() throws {
        var state = state([try report(.ok, rootCertificate: "/tmp/ready.json.pem")])
        let command = try #require(state.trip?.commands.first)
        #expect(
            command == "grpcurl -cacert '/tmp/ready.json.pem' -import-path \"$PROTOS\" -proto "
                + "google/maps/fleetengine/v1/trip_api.proto -H \"authorization: Bearer $TOKEN\" "
                + "-d '{\"name\":\"providers/p/trips/it'\\''s\"}' 'localhost:50051' "
                + "maps.fleetengine.v1.TripService/GetTrip"
        )
        _ = state.update(.key(.character("4")))
        _ = state.update(.key(.enter))
        #expect(TripScreen.view(state).text.contains("grpcurl -cacert"))
    }

    @Test func `the Token view says that a trip was only read with a server token`() throws {
        var listed = try report(.ok)
        #expect(show("3", [listed]).contains("No token has been requested yet"))
        listed.isByServer = true
        let text = show("3", [listed])
        #expect(text.contains("only read with a server token"), "\(text)")
        #expect(!text.contains("No token has been requested yet"))
    }
}
