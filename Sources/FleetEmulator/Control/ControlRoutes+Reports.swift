import FleetWire
import Runtime
import TripModel

/// What providers and drivers have reported, and the way back to the beginning.
extension ControlRoutes {
    private struct BillableTripList: Encodable {
        struct Report: Encodable {
            var id: String
            var time: String
            var countryCode: String
            var platform: String?
            var relatedIds: [String]
            var solutionType: String
        }

        var billableTrips: [Report]
    }

    /// Lists the reports of billable trips.
    func billableTrips() -> PlainResponse {
        let reports = router.service.billableTrips.map { trip in
            BillableTripList.Report(
                id: trip.id.rawValue,
                time: Timestamp.text(trip.time),
                countryCode: trip.report.country,
                platform: trip.report.platform,
                relatedIds: trip.report.relatedIDs,
                solutionType: trip.report.solutionType
            )
        }
        return answer(BillableTripList(billableTrips: reports))
    }

    /// Returns a vehicle in the format of GetVehicle with the fields `pastLocations` and `deviceSettings`.
    func vehicle(_ id: VehicleID) throws(ServiceError) -> PlainResponse {
        PlainResponse(status: 200, body: MessageBytes.encode(try router.service.reportedVehicle(id)))
    }

    /// Restarts what the emulator plays.
    func reset() async throws(ServiceError) -> PlainResponse {
        guard await control.resets.perform() else { throw .unavailable }
        return PlainResponse(status: 200, body: CollectionCoding.empty)
    }
}
