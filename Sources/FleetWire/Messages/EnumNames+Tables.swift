import FleetEngineProtos

private typealias BatteryInfo = Maps_Fleetengine_V1_BatteryInfo
private typealias GetTripMessage = Maps_Fleetengine_V1_GetTripRequest
private typealias ReportBillableTripRequest = Maps_Fleetengine_V1_ReportBillableTripRequest
private typealias SearchVehiclesRequest = Maps_Fleetengine_V1_SearchVehiclesRequest
private typealias SpeedReadingInterval = Maps_Fleetengine_V1_SpeedReadingInterval
private typealias VehicleMatchMessage = Maps_Fleetengine_V1_VehicleMatch

/// The enums of `maps.fleetengine.v1`.
extension EnumNames {
    package static let tripStatus = EnumNames(\TripMessage.tripStatus, zero: "UNKNOWN_TRIP_STATUS")
    package static let tripType = EnumNames(\TripMessage.tripType, zero: "UNKNOWN_TRIP_TYPE")
    package static let view = EnumNames(\TripMessage.view, zero: "TRIP_VIEW_UNSPECIFIED")
    package static let pathFormat = EnumNames(\GetTripMessage.routeFormatType, zero: "UNKNOWN_FORMAT_TYPE")
    package static let vehicleState = EnumNames(\VehicleMessage.vehicleState, zero: "UNKNOWN_VEHICLE_STATE")
    package static let category = EnumNames(\VehicleMessage.VehicleType.category, zero: "UNKNOWN")
    static let navigationStatus = EnumNames(\VehicleMessage.navigationStatus, zero: "UNKNOWN_NAVIGATION_STATUS")
    static let waypointType = EnumNames(\WaypointMessage.waypointType, zero: "UNKNOWN_WAYPOINT_TYPE")
    static let trafficSpeed = EnumNames(\SpeedReadingInterval.speed, zero: "SPEED_UNSPECIFIED")
    static let sensor = EnumNames(\LocationMessage.locationSensor, zero: "UNKNOWN_SENSOR")
    static let powerSaveMode = EnumNames(
        \DeviceSettingsMessage.locationPowerSaveMode,
        zero: "UNKNOWN_LOCATION_POWER_SAVE_MODE"
    )
    static let batteryStatus = EnumNames(\BatteryInfo.batteryStatus, zero: "UNKNOWN_BATTERY_STATUS")
    static let powerSource = EnumNames(\BatteryInfo.powerSource, zero: "UNKNOWN_POWER_SOURCE")
    static let billingPlatform = EnumNames(
        \ReportBillableTripRequest.platform,
        zero: "BILLING_PLATFORM_IDENTIFIER_UNSPECIFIED"
    )
    static let solutionType = EnumNames(\ReportBillableTripRequest.solutionType, zero: "SOLUTION_TYPE_UNSPECIFIED")
    static let matchOrder = EnumNames(\SearchVehiclesRequest.orderBy, zero: "UNKNOWN_VEHICLE_MATCH_ORDER")
    static let currentTrips = EnumNames(
        \SearchVehiclesRequest.currentTripsPresent,
        zero: "CURRENT_TRIPS_PRESENT_UNSPECIFIED"
    )
    static let matchType = EnumNames(\VehicleMatchMessage.vehicleMatchType, zero: "UNKNOWN")

    /// The enums by the names of their fields, for the texts of errors.
    static let ofFields: [String: EnumNames] = [
        "tripStatus": tripStatus, "tripType": tripType, "tripTypes": tripType, "supportedTripTypes": tripType,
        "view": view, "vehicleState": vehicleState, "category": category, "navigationStatus": navigationStatus,
        "waypointType": waypointType, "speed": trafficSpeed, "locationSensor": sensor, "rawLocationSensor": sensor,
        "supplementalLocationSensor": sensor, "locationPowerSaveMode": powerSaveMode, "batteryStatus": batteryStatus,
        "powerSource": powerSource, "platform": billingPlatform, "solutionType": solutionType, "orderBy": matchOrder,
        "currentTripsPresent": currentTrips, "taskOutcome": taskOutcome,
    ]
}
