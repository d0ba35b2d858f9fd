import FleetWire

/// The body of UpdateDeliveryVehicle for what the app of a driver measures, with only the fields that its mask names.
///
/// It has the values of ``DriverReport`` that a delivery vehicle has, too; two of them have another name or form.
struct DeliveryReport: Encodable {
    let lastLocation: DriverReport.Location?
    let navigationStatus: String?
    let currentRouteSegment: String?
    let currentRouteSegmentEndPoint: DriverReport.RouteEnd?
    let remainingDistanceMeters: Int?
    /// Such as `90s`.
    let remainingDuration: String?

    init(_ report: DriverReport) {
        (lastLocation, navigationStatus) = (report.lastLocation, report.navigationStatus)
        (currentRouteSegment, currentRouteSegmentEndPoint) = (
            report.currentRouteSegment, report.currentRouteSegmentEndPoint
        )
        remainingDistanceMeters = report.remainingDistanceMeters
        remainingDuration = report.remainingTimeSeconds.map { "\($0)s" }
    }

    /// The mask: the fields that are set.
    var mask: FieldMask {
        let fields = [
            ("lastLocation", lastLocation != nil), ("navigationStatus", navigationStatus != nil),
            ("currentRouteSegment", currentRouteSegment != nil),
            ("currentRouteSegmentEndPoint", currentRouteSegmentEndPoint != nil),
            ("remainingDistanceMeters", remainingDistanceMeters != nil),
            ("remainingDuration", remainingDuration != nil),
        ]
        return FieldMask(fields.filter(\.1).map(\.0))
    }
}
