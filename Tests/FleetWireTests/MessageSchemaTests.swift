import FleetEngineProtos
import SwiftProtobuf
import Testing
import TripTestSupport

@testable import FleetWire

/// The schema, compared with what SwiftProtobuf decodes.
@Suite("Message schema", .ends(within: .quickTest))
struct MessageSchemaTests {
    private typealias Frame = FleetWire.Frame

    private static let bodies: [any Message.Type] = [
        Maps_Fleetengine_V1_SearchTripsResponse.self, Maps_Fleetengine_V1_ListVehiclesResponse.self,
        Maps_Fleetengine_V1_SearchVehiclesResponse.self, Maps_Fleetengine_V1_ReportBillableTripRequest.self,
        Maps_Fleetengine_V1_SearchVehiclesRequest.self, Maps_Fleetengine_V1_SearchTripsRequest.self,
        Maps_Fleetengine_V1_UpdateTripRequest.self, Maps_Fleetengine_V1_UpdateVehicleAttributesRequest.self,
        Maps_Fleetengine_V1_ListVehiclesRequest.self, Maps_Fleetengine_Delivery_V1_ListTasksResponse.self,
        Maps_Fleetengine_Delivery_V1_ListDeliveryVehiclesResponse.self,
        Maps_Fleetengine_Delivery_V1_TaskTrackingInfo.self,
        Maps_Fleetengine_Delivery_V1_BatchCreateTasksRequest.self,
        Maps_Fleetengine_Delivery_V1_UpdateDeliveryVehicleRequest.self, Google_Rpc_QuotaFailure.self,
        Google_Rpc_ErrorInfo.self, Google_Rpc_Status.self,
    ]

    /// Visits the fields of a body and of the messages in it, each message once, with the text around a value of the field.
    private func visit(
        _ message: MessageSchema,
        in frame: Frame,
        _ seen: inout Set<String>,
        _ body: (String, MessageSchema.Field, Frame) throws -> Void
    ) rethrows {
        for (name, field) in message.fields {
            let inner = frame.member(Array("\"\(name)\"".utf8))
            try body(name, field, inner)
            guard case .message(let type) = field.kind, let message = field.element.message,
                seen.insert(type).inserted
            else { continue }
            try visit(message, in: field.isList ? inner.list : inner, &seen, body)
        }
    }

    /// Returns what SwiftProtobuf expects in a place, by what it accepts there.
    private func expectation(in frame: Frame, of type: any Message.Type) -> ExpectedValue {
        func isAccepted(_ text: String) -> Bool { frame.refusal(of: text.utf8, in: type) == nil }
        if isAccepted("{}") { return .object }
        if isAccepted("[]") { return .list }
        switch frame.refusal(of: "\"\"".utf8, in: type) {
        case nil: return .text
        case .unrecognizedEnumValue: return .enumeration
        case .malformedTimestamp: return .timestamp
        case .malformedDuration: return .duration
        default: break
        }
        if isAccepted("true") { return .flag }
        return isAccepted("0.5") ? .number : .integer
    }

    @Test(arguments: bodies.indices)
    func `fields have the names and the values that SwiftProtobuf accepts`(_ index: Int) {
        let type = Self.bodies[index]
        var seen: Set<String> = []
        var count = 0
        visit(MessageSchema(type), in: Frame(), &seen) { name, field, frame in
            count += 1
            #expect(frame.refusal(of: "null".utf8, in: type) == nil, "\(name)")
            #expect(expectation(in: frame, of: type) == field.expected, "\(name)")
            if field.isList { #expect(expectation(in: frame.list, of: type) == field.element.expected, "\(name)") }
            #expect(FieldMask.camelCase(name) == field.name)
        }
        #expect(count > 0)
    }

    @Test(arguments: bodies.indices)
    func `values of enums have the names and numbers that SwiftProtobuf accepts`(_ index: Int) throws {
        let type = Self.bodies[index]
        var seen: Set<String> = []
        try visit(MessageSchema(type), in: Frame(), &seen) { name, field, frame in
            guard case .enumeration(let enumeration) = field.kind else { return }
            let names = try #require(Schema.service.enums[enumeration])
            let place = field.isList ? frame.list : frame
            func decoded(_ value: String) throws -> any Message {
                try type.init(jsonUTF8Bytes: place.start + Array(value.utf8) + place.end)
            }
            #expect(names.all.count > 1)
            for name in names.all {
                var unknown = UnknownNames()
                let value: Maps_Fleetengine_V1_TripStatus = names.value(name, &unknown)
                #expect(unknown.isEmpty)
                #expect(try decoded("\"\(name)\"").isEqualTo(message: decoded("\(value.rawValue)")), "\(name)")
            }
            #expect(throws: JSONDecodingError.self) { try decoded("\"\(names.all[0])_\"") }
        }
    }

    @Test func `the enums of the model are in the schema`() {
        let enums: [(EnumNames, zero: String)] = [
            (.tripStatus, "UNKNOWN_TRIP_STATUS"), (.tripType, "UNKNOWN_TRIP_TYPE"),
            (.view, "TRIP_VIEW_UNSPECIFIED"), (.pathFormat, "UNKNOWN_FORMAT_TYPE"),
            (.vehicleState, "UNKNOWN_VEHICLE_STATE"), (.category, "UNKNOWN"),
            (.navigationStatus, "UNKNOWN_NAVIGATION_STATUS"), (.waypointType, "UNKNOWN_WAYPOINT_TYPE"),
            (.trafficSpeed, "SPEED_UNSPECIFIED"), (.sensor, "UNKNOWN_SENSOR"),
            (.powerSaveMode, "UNKNOWN_LOCATION_POWER_SAVE_MODE"), (.batteryStatus, "UNKNOWN_BATTERY_STATUS"),
            (.powerSource, "UNKNOWN_POWER_SOURCE"), (.billingPlatform, "BILLING_PLATFORM_IDENTIFIER_UNSPECIFIED"),
            (.solutionType, "SOLUTION_TYPE_UNSPECIFIED"), (.matchOrder, "UNKNOWN_VEHICLE_MATCH_ORDER"),
            (.currentTrips, "CURRENT_TRIPS_PRESENT_UNSPECIFIED"), (.matchType, "UNKNOWN"),
            (.taskType, "TYPE_UNSPECIFIED"), (.taskState, "STATE_UNSPECIFIED"),
            (.taskOutcome, "TASK_OUTCOME_UNSPECIFIED"),
            (.outcomeLocationSource, "TASK_OUTCOME_LOCATION_SOURCE_UNSPECIFIED"),
            (.deliveryVehicleType, "DELIVERY_VEHICLE_TYPE_UNSPECIFIED"), (.stopState, "STATE_UNSPECIFIED"),
        ]
        for (names, zero) in enums { #expect(names.all.first == zero) }
    }

    @Test func `keys of maps and of messages with JSON forms of their own are no fields`() {
        let reasons = MessageSchema(Google_Rpc_ErrorInfo.self)
        #expect(reasons["metadata"]?.expected == .object && reasons["metadata"]?.message == nil)
        #expect(MessageSchema(Google_Rpc_Status.self)["details"]?.element.message == nil)
        #expect(MessageSchema(TripMessage.self)["pickupTime"]?.message == nil)
        #expect(MessageSchema(Google_Protobuf_Timestamp.self)["seconds"] == nil)
    }

    @Test(arguments: [
        "tripStatus", "trip_status", "remainingWaypoints[0].eta", "remainingWaypoints.size", "pickup_point.point",
        "tripStatus.size", "attributes[3].stringValue", "route[0].latitude",
    ])
    func `a path names a field of a trip`(path: String) { #expect(FieldPath(path) != nil) }

    @Test(arguments: [
        "", "mood", "size", "trip__status", "remainingWaypoints.eta", "pickupPoint[0]", "route[0][0]",
        "pickupTime.seconds",
        "remainingDistanceMeters.value", "tripStatus.name", "route[-1]", "route[0].mood",
    ])
    func `a path of another form names none`(path: String) { #expect(FieldPath(path) == nil) }
}
