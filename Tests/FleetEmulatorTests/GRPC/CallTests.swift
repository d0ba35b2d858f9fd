import Failures
import FleetEngineProtos
import FleetWire
import Foundation
import GRPCCore
import Runtime
import SwiftProtobuf
import Synchronization
import Testing
import TripTestSupport

@testable import FleetEmulator

/// gRPC calls as REST requests.
@Suite("Calls over gRPC", .ends(within: .quickTest))
struct CallTests {
    /// Returns the request of a call that is answered with this body, and the answer.
    private static func sent<Output: Message>(
        _ message: some Message,
        answer: String = "{}",
        metadata: Metadata = [:]
    ) async throws -> (request: HTTPTransportRequest, output: Output) {
        let requests = Mutex<[HTTPTransportRequest]>([])
        let calls = EngineCalls(
            engine: HTTPTransport { request throws(Failure) in
                requests.withLock { $0.append(request) }
                return HTTPTransportResponse(status: 200, body: Array(answer.utf8))
            }
        )
        let output = try await calls.answer(to: message, metadata)
        let all = requests.withLock { $0 }
        #expect(all.count == 1)
        return (try #require(all.first), try Output(serializedBytes: output))
    }

    /// Returns the path and the parameters of a URL by name.
    ///
    /// Only the parameters of one name have an order.
    private static func parts(_ url: String) -> [Substring: [Substring]] {
        Dictionary(grouping: url.split { "?&".contains($0) }) { $0.prefix { $0 != "=" } }
    }

    private static func json(_ body: [UInt8]) throws -> NSDictionary? {
        try JSONSerialization.jsonObject(with: Data(body)) as? NSDictionary
    }

    @Test func `each method of the descriptors is served, with its messages`() throws {
        let bytes = try #require(Data(base64Encoded: Descriptors.base64, options: .ignoreUnknownCharacters))
        let published = try Google_Protobuf_FileDescriptorSet(serializedBytes: bytes).file.flatMap { file in
            file.service.flatMap { service in
                service.method.map { "\(file.package).\(service.name)/\($0.name) \($0.inputType) \($0.outputType)" }
            }
        }
        let served = RESTMethod.all.map {
            "\(MethodDescriptor($0)) .\($0.request.protoMessageName) .\($0.answer.protoMessageName)"
        }
        #expect(served.count == 25 && served.sorted() == published.sorted())
    }

    @Test func `GetTrip sends the name, the conditions and the token`() async throws {
        var message = Maps_Fleetengine_V1_GetTripRequest()
        message.name = "providers/p/trips/a trip"
        message.view = .journeySharingV1S
        message.routeFormatType = .encodedPolylineType
        message.currentRouteSegmentVersion.seconds = 1_773_476_100
        message.currentRouteSegmentTrafficVersion.seconds = 1_773_476_101
        message.remainingWaypointsRouteVersion.seconds = 1_773_476_102
        message.remainingWaypointsVersion = Google_Protobuf_Timestamp(seconds: 1_773_476_103, nanos: 250_000_000)
        let (request, trip): (_, Maps_Fleetengine_V1_Trip) = try await Self.sent(
            message,
            answer: #"{"name": "providers/p/trips/t", "tripStatus": "NEW"}"#,
            metadata: ["authorization": "Bearer t"]
        )
        #expect(request.method == "GET" && request.body.isEmpty)
        #expect(request.sentHeaders.map(\.name) == ["authorization"] && request.headers.first?.value == "Bearer t")
        let expected =
            "http://engine.test/v1/providers/p/trips/a%20trip?routeFormatType=2&view=2"
            + "&currentRouteSegmentVersion=2026-03-14T08%3A15%3A00Z"
            + "&currentRouteSegmentTrafficVersion=2026-03-14T08%3A15%3A01Z"
            + "&remainingWaypointsRouteVersion=2026-03-14T08%3A15%3A02Z"
            + "&remainingWaypointsVersion=2026-03-14T08%3A15%3A03.250Z"
        #expect(Self.parts(request.url) == Self.parts(expected))
        #expect(trip.tripStatus == .new)
    }

    @Test func `UpdateTrip sends the mask and the trip`() async throws {
        var message = Maps_Fleetengine_V1_UpdateTripRequest()
        message.name = "providers/p/trips/t"
        message.trip.tripStatus = .enrouteToPickup
        message.trip.vehicleID = "v"
        message.updateMask.paths = ["trip_status", "vehicleId"]
        let (request, _): (_, Maps_Fleetengine_V1_Trip) = try await Self.sent(message)
        #expect(request.method == "PUT")
        #expect(request.url.hasSuffix("/v1/providers/p/trips/t?updateMask=trip_status%2CvehicleId"))
        #expect(try Self.json(request.body) == ["tripStatus": "ENROUTE_TO_PICKUP", "vehicleId": "v"])
    }

    @Test func `ListVehicles sends all filters as query parameters`() async throws {
        var message = Maps_Fleetengine_V1_ListVehiclesRequest()
        message.parent = "providers/p"
        message.pageSize = 2
        message.pageToken = "a+b"
        message.minimumCapacity.value = 0
        message.tripTypes = [.shared, .exclusive]
        message.maximumStaleness = Google_Protobuf_Duration(seconds: 90, nanos: 500_000_000)
        message.vehicleTypeCategories = [.auto, .taxi]
        message.requiredAttributes = ["a:b"]
        message.requiredOneOfAttributes = ["c:d|e:f"]
        message.requiredOneOfAttributeSets = ["g:h|i:j"]
        message.vehicleState = .online
        message.onTripOnly = true
        message.filter = "attributes.k = \"v\""
        message.viewport.high.latitude = 1.5
        let (request, answer): (_, Maps_Fleetengine_V1_ListVehiclesResponse) = try await Self.sent(
            message,
            answer: #"{"totalSize": "7"}"#
        )
        let expected =
            "http://engine.test/v1/providers/p/vehicles?pageSize=2&pageToken=a%2Bb&minimumCapacity=0"
            + "&tripTypes=1&tripTypes=2&maximumStaleness=90.500s&vehicleTypeCategories=1&vehicleTypeCategories=2"
            + "&requiredAttributes=a%3Ab&requiredOneOfAttributes=c%3Ad%7Ce%3Af"
            + "&requiredOneOfAttributeSets=g%3Ah%7Ci%3Aj&vehicleState=2&onTripOnly=true"
            + "&filter=attributes.k%20%3D%20%22v%22&viewport.low.latitude=0.0&viewport.low.longitude=0.0"
            + "&viewport.high.latitude=1.5&viewport.high.longitude=0.0"
        #expect(Self.parts(request.url) == Self.parts(expected))
        #expect(answer.totalSize == 7)
    }

    @Test(arguments: [
        "", "t", "providers/p", "providers/p/trips", "providers/p/trips/", "providers//trips/t",
        "providers/p/vehicles/t",
        "providers/p/trips/t/x", "/providers/p/trips/t", "providers/p/trips/t:report", "users/p/trips/t",
    ])
    func `a name of another form is INVALID_ARGUMENT and is not sent`(name: String) throws {
        var message = Maps_Fleetengine_V1_GetTripRequest()
        message.name = name
        let method = try RESTMethod(of: message)
        let error = #expect(throws: RPCError.self) { try RESTRequest(method, message) }
        #expect(error?.code == .invalidArgument)
    }

    @Test func `a message without a JSON form is INVALID_ARGUMENT`() throws {
        var message = Maps_Fleetengine_V1_CreateTripRequest()
        message.parent = "providers/p"
        message.trip.pickupTime.seconds = .max
        let method = try RESTMethod(of: message)
        let error = #expect(throws: RPCError.self) { try RESTRequest(method, message) }
        #expect(error?.code == .invalidArgument)
    }

    @Test func `an answer that is not JSON is INTERNAL`() async throws {
        var message = Maps_Fleetengine_V1_GetTripRequest()
        message.name = "providers/p/trips/t"
        let error = await #expect(throws: RPCError.self) {
            let _: (_, Maps_Fleetengine_V1_Trip) = try await Self.sent(message, answer: "<html>")
        }
        #expect(error?.code == .internalError)
    }

    /// The requests of a call of this trip, and its error.
    private static func failure(
        name: String,
        metadata: Metadata,
        status: Int
    ) async throws -> (requests: [HTTPTransportRequest], code: RPCError.Code?) {
        let requests = Mutex<[HTTPTransportRequest]>([])
        let calls = EngineCalls(
            engine: HTTPTransport { request throws(Failure) in
                requests.withLock { $0.append(request) }
                return HTTPTransportResponse(status: status)
            }
        )
        var message = Maps_Fleetengine_V1_GetTripRequest()
        message.name = name
        let error = await #expect(throws: RPCError.self) {
            try await calls.answer(to: message, metadata)
        }
        return (requests.withLock { $0 }, error?.code)
    }

    @Test func `the token is checked before the arguments`() async throws {
        for (status, code) in [(401, RPCError.Code.unauthenticated), (403, .permissionDenied), (404, .invalidArgument)]
        {
            let call = try await Self.failure(name: "?", metadata: ["authorization": "Bearer x"], status: status)
            #expect(call.code == code)
            #expect(call.requests.map(\.url) == ["http://engine.test/v1"])
            #expect(call.requests.first?.sentHeaders.map(\.value) == ["Bearer x"])
        }
    }

    @Test func `two tokens are one value that is no token`() async throws {
        var metadata: Metadata = ["authorization": "Bearer a"]
        metadata.addString("Bearer b", forKey: "authorization")
        let call = try await Self.failure(name: "providers/p/trips/t", metadata: metadata, status: 401)
        #expect(call.requests.first?.sentHeaders.map(\.value) == ["Bearer a, Bearer b"])
    }

    private static let cancellations: [(metadata: Metadata, isAtEnd: Bool, code: RPCError.Code)] = [
        ([:], false, .cancelled), (["grpc-timeout": "5S"], false, .deadlineExceeded),
        (["grpc-timeout": "5S"], true, .unavailable),
    ]

    @Test(arguments: cancellations)
    func `a cancelled call cancels the request`(
        metadata: Metadata,
        isAtEnd: Bool,
        code: RPCError.Code
    ) async throws {
        var message = Maps_Fleetengine_V1_GetTripRequest()
        message.name = "providers/p/trips/t"
        let isCancelled = Mutex(false)
        let handle = ServerContext.RPCCancellationHandle()
        let calls = EngineCalls(
            engine: HTTPTransport { _ throws(Failure) in
                handle.cancel()
                // It ends only by cancellation.
                do { try await Task.sleep(for: .testTimeout) } catch { isCancelled.withLock { $0 = true } }
                throw .cancelled
            }
        )
        if isAtEnd { calls.shutDown() }
        let error = await #expect(throws: RPCError.self) {
            try await calls.answer(to: message, metadata, cancellation: handle)
        }
        #expect(error?.code == code)
        #expect(isCancelled.withLock { $0 })
    }
}

extension HTTPTransportRequest {
    /// The headers that the client sent, without those with which a call travels within the process.
    fileprivate var sentHeaders: [(name: String, value: String)] { headers.filter { !$0.name.hasPrefix("x-grpc-") } }
}
