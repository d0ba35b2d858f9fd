package import FleetEngineProtos
package import SwiftProtobuf
import TripModel

/// The names and numbers of the values of one enum.
package struct EnumNames: Sendable {
    private let names: [Int: String]
    let numbers: [String: Int]

    /// Creates the names of an enum; of two names with the same number, the first is the name of the value.
    init(_ descriptor: Google_Protobuf_EnumDescriptorProto) {
        let values = descriptor.value.map { ($0.name, Int($0.number)) }
        names = Dictionary(values.map { ($1, $0) }) { first, _ in first }
        numbers = Dictionary(values) { first, _ in first }
    }

    /// Finds an enum of the schema by its full name.
    static func named(_ name: String) -> EnumNames {
        guard let names = Schema.service.enums[name] else { preconditionFailure("the schema has no enum \(name)") }
        return names
    }

    /// The names in the order of their numbers.
    var all: [String] { names.sorted { $0.key < $1.key }.map(\.value) }

    /// Returns the name of a value given by name or number; `nil` if it is unknown.
    package func name(inQuery text: String) -> String? {
        numbers[text] == nil ? Int(text).flatMap { names[$0] } : text
    }

    /// Returns the name of a value; its number if it has none.
    func name<Value: Enum>(_ value: Value, _ unknown: UnknownNames = UnknownNames()) -> String
    where Value.RawValue == Int {
        names[value.rawValue] ?? unknown.name(of: value.rawValue) ?? String(value.rawValue)
    }

    /// Returns the name of a value other than 0, which is the same as none.
    func nameIfSet<Value: Enum>(_ value: Value, _ unknown: UnknownNames = UnknownNames()) -> String?
    where Value.RawValue == Int {
        value.rawValue == 0 ? nil : name(value, unknown).boundedName
    }

    /// Returns the value with a name or a number; the value 0 without a known name.
    package func value<Value: Enum>(_ name: String?) -> Value where Value.RawValue == Int {
        var unknown = UnknownNames()
        unknown.isRetained = false
        return value(name, &unknown)
    }

    /// Returns the value with a name or a number; an unknown name is added to `unknown`.
    func value<Value: Enum>(_ name: String?, _ unknown: inout UnknownNames) -> Value where Value.RawValue == Int {
        guard let name else { return Value() }
        let number = numbers[name] ?? Int32(name).map(Int.init) ?? unknown.number(of: name)
        return Value(rawValue: number) ?? Value()
    }
}

/// Names of enum values that the schema does not have, as numbers below the range of an `int32`, which no enum has.
///
/// A message holds numbers only, so a name that a newer service has added travels as one of these.
struct UnknownNames: Sendable {
    private static let first = Int(Int32.min) - 1
    private var names: [String] = []
    private var numbers: [String: Int] = [:]
    /// Whether unknown names are preserved; otherwise they become the value 0.
    var isRetained = true

    /// Whether there is none.
    var isEmpty: Bool { names.isEmpty }

    /// Returns the number of a name.
    mutating func number(of name: String) -> Int {
        guard isRetained else { return 0 }
        if let number = numbers[name] { return number }
        numbers[name] = Self.first - names.count
        names.append(name)
        return Self.first - names.count + 1
    }

    /// Returns the name of a number; `nil` if it is not the number of an unknown name.
    func name(of number: Int) -> String? {
        guard number <= Self.first, number > Self.first - names.count else { return nil }
        return names[Self.first - number]
    }
}

/// The enums of `maps.fleetengine.v1`.
extension EnumNames {
    package static let tripStatus = trips("TripStatus")
    package static let tripType = trips("TripType")
    package static let view = trips("TripView")
    package static let pathFormat = trips("PolylineFormatType")
    package static let vehicleState = trips("VehicleState")
    package static let category = trips("Vehicle.VehicleType.Category")
    static let navigationStatus = trips("NavigationStatus")
    static let waypointType = trips("WaypointType")
    static let trafficSpeed = trips("SpeedReadingInterval.Speed")
    static let sensor = trips("LocationSensor")
    static let powerSaveMode = trips("LocationPowerSaveMode")
    static let batteryStatus = trips("BatteryStatus")
    static let powerSource = trips("PowerSource")
    static let billingPlatform = trips("BillingPlatformIdentifier")
    static let solutionType = trips("ReportBillableTripRequest.SolutionType")
    static let matchOrder = trips("SearchVehiclesRequest.VehicleMatchOrder")
    static let currentTrips = trips("SearchVehiclesRequest.CurrentTripsPresent")
    static let matchType = trips("VehicleMatch.VehicleMatchType")

    private static func trips(_ name: String) -> EnumNames { named("maps.fleetengine.v1.\(name)") }
}

// The generated types by the names of their messages.

package typealias TripMessage = Maps_Fleetengine_V1_Trip
package typealias VehicleMessage = Maps_Fleetengine_V1_Vehicle
package typealias WaypointMessage = Maps_Fleetengine_V1_TripWaypoint
package typealias LocationMessage = Maps_Fleetengine_V1_VehicleLocation
package typealias TerminalMessage = Maps_Fleetengine_V1_TerminalLocation
package typealias StopMessage = Maps_Fleetengine_V1_StopLocation
typealias TrafficMessage = Maps_Fleetengine_V1_ConsumableTrafficPolyline
typealias TripAttributeMessage = Maps_Fleetengine_V1_TripAttribute
package typealias VehicleAttributeMessage = Maps_Fleetengine_V1_VehicleAttribute
typealias DeviceSettingsMessage = Maps_Fleetengine_V1_DeviceSettings
package typealias LatLngMessage = Google_Type_LatLng
package typealias RoadStretchMessage = Maps_Fleetengine_V1_VisualTrafficReportPolylineRendering.RoadStretch
