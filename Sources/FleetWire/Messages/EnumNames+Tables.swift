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
