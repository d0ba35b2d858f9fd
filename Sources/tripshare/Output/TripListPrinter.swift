import ArgumentParser
import Canvas
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// The output format of a list of trips.
enum ListForm: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// Aligned columns with headings.
    case table
    /// One trip per line, columns separated by tabs.
    case plain
    /// One JSON object per trip and line.
    case json
}

/// Prints a list of trips.
struct TripListPrinter {
    let form: ListForm
    /// The time for which ages are printed.
    let now: Date

    /// Prints trips in their order.
    func print(_ trips: [Trip]) {
        switch form {
        case .json: for trip in trips { Printing.json(ListedTripLine(trip)) }
        case .plain:
            for trip in trips {
                Printing.out(cells(trip).map { $0.isEmpty ? "-" : $0 }.joined(separator: "  "))
            }
        case .table:
            guard !trips.isEmpty else { return }
            let localizer = Localizer.ofProcess
            // The noun is written in lower case within sentences.
            let vehicle = localizer(.nounVehicle).prefix(1).uppercased() + localizer(.nounVehicle).dropFirst()
            let headings = [localizer(.viewTrip), localizer(.columnStatus), vehicle, localizer(.columnAge)]
            let rows = [headings] + trips.map(cells)
            let widths = headings.indices.map { column in rows.map { TextWidth.of($0[column]) }.max() ?? 0 }
            for row in rows {
                let line = zip(row, widths).map { cell, width in
                    cell + String(repeating: " ", count: max(0, width - TextWidth.of(cell)))
                }
                Printing.out(line.joined(separator: "  ").trimmingSuffix { $0 == " " })
            }
        }
    }

    /// Returns the sanitized columns of a trip: ID, status, vehicle, age of the position.
    private func cells(_ trip: Trip) -> [String] {
        let age = (trip.lastLocation?.serverTime ?? trip.lastLocation?.measuredTime).map {
            Localizer.ofProcess.age(.seconds(max(0, now.timeIntervalSince($0))))
        }
        return [
            trip.id.rawValue.sanitized(limit: 64), trip.status.name.sanitized(limit: 64),
            trip.vehicleID?.rawValue.sanitized(limit: 64) ?? "", age ?? "",
        ]
    }
}

/// A trip of a list.
struct ListedTripLine: Encodable {
    var type = "listedTrip"
    var trip: String
    var status: String
    var tripType: String?
    var vehicleId: String?
    var numberOfPassengers: Int?
    var pickupTime: String?
    var dropoffTime: String?
    var location: TripLine.Location?
    /// When the service received the position.
    var locationTime: String?

    init(_ trip: Trip) {
        self.trip = trip.id.rawValue
        status = trip.status.name
        tripType = trip.type?.name
        vehicleId = trip.vehicleID?.rawValue
        numberOfPassengers = trip.passengers
        pickupTime = trip.pickupTime.map(Timestamp.text)
        dropoffTime = trip.dropoffTime.map(Timestamp.text)
        location = TripLine.Location(.trip(trip))
        locationTime = trip.lastLocation?.serverTime.map(Timestamp.text)
    }
}
