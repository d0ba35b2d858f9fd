import FleetEngineProtos
import Foundation
package import Runtime
package import SwiftProtobuf
package import TripModel

/// A message of a log: converted to ProtoJSON, decoded, and read as the answers of the service are.
package struct LogMessage<Body: Message>: Sendable {
    private let message: Body
    /// The values that cannot be read, by the keys of the log; they count as missing.
    package let unreadable: [UnknownField]
    private let names: UnknownNames
    private let omitted: [ElementKind: Int]

    /// Converts a message, whose keys are in lower case without `_`.
    package init(_ value: JSONValue) {
        var conversion = LogConversion(value, to: Body.protoMessageName, isStrict: false)
        var message = try? Body(jsonUTF8Bytes: conversion.bytes)
        if message == nil {
            // A text has another form than ProtoJSON's: the conversion finds out which.
            conversion = LogConversion(value, to: Body.protoMessageName, isStrict: true)
            message = try? Body(jsonUTF8Bytes: conversion.bytes)
        }
        self.message = message ?? Body()
        (unreadable, names, omitted) = (conversion.unreadable, conversion.names, conversion.omitted)
    }

    /// Reads the message, with the paths that the log has had so far.
    private func read<Model>(_ paths: inout PathDecoder, _ read: (inout MessageReader, Body) -> Model) -> Model {
        var reader = MessageReader(budget: ElementBudget(omitted: omitted), unknown: names)
        reader.usesRawCoordinates = true
        // Moved, not copied: a second reference to the paths would copy them.
        reader.paths = paths
        paths = PathDecoder()
        let model = read(&reader, message)
        if let known = reader.paths { paths = known }
        return model
    }
}

extension LogMessage<TripMessage> {
    /// Returns the trip with an ID, whatever the name of the message is.
    package func trip(_ id: TripID, in provider: ProviderID, _ paths: inout PathDecoder) -> Trip {
        var trip = read(&paths) { $0.trip($1, id, in: provider) }
        trip.unreadable = unreadable
        return trip
    }
}

extension LogMessage<VehicleMessage> {
    /// Returns the vehicle with an ID, whatever the name of the message is.
    package func vehicle(_ id: VehicleID, in provider: ProviderID, _ paths: inout PathDecoder) -> Vehicle {
        read(&paths) { $0.vehicle($1, id, in: provider) }
    }

    /// The IDs of the trips that it serves; invalid ones are skipped.
    package var currentTrips: [TripID] { message.currentTrips.compactMap { try? TripID($0) } }

    /// The navigation status, by its API name; `nil` if it is unknown.
    package var navigationStatus: String? { EnumNames.navigationStatus.nameIfSet(message.navigationStatus, names) }

    /// The remaining time to the next waypoint in seconds, which only a driver's request has.
    package var remainingSeconds: Double? {
        message.hasRemainingTimeSeconds ? Double(message.remainingTimeSeconds.value) : nil
    }

    /// The stretches of slow traffic that a driver reports, in meters along the route.
    package var slowStretches: [(range: Range<Double>, speed: Traffic.Speed)] {
        message.currentRouteSegmentTraffic.trafficRendering.roadStretch.compactMap { stretch in
            let start = Double(max(0, stretch.offsetMeters))
            guard stretch.lengthMeters > 0 else { return nil }
            let range = start..<start + Double(stretch.lengthMeters)
            return switch stretch.style {
            case .slowerTraffic: (range, .slow)
            case .trafficJam: (range, .jam)
            case .unspecified, .UNRECOGNIZED: nil
            }
        }
    }
}

extension LogMessage<TaskMessage> {
    /// Returns the task; `nil` without a valid ID.
    package func task(in provider: ProviderID, _ paths: inout PathDecoder) -> DeliveryTask? {
        message.name.lastPart.flatMap { try? TaskID($0) }
            .map { id in read(&paths) { $0.task($1, id, in: provider) } }
    }
}

extension LogMessage<DeliveryVehicleMessage> {
    /// Returns the vehicle with its stops; `nil` without a valid ID.
    package func vehicle(in provider: ProviderID, _ paths: inout PathDecoder) -> DeliveryVehicle? {
        message.name.lastPart.flatMap { try? DeliveryVehicleID($0) }
            .map { id in read(&paths) { $0.deliveryVehicle($1, id, in: provider) } }
    }
}

extension LogMessage<TrackingMessage> {
    /// Returns what the recipient of a shipment received.
    package func shipment(_ id: TrackingID, in provider: ProviderID, _ paths: inout PathDecoder) -> TaskTrackingInfo {
        var shipment = read(&paths) { $0.trackingInfo($1, id, in: provider) }
        shipment.unreadable = unreadable
        return shipment
    }
}

extension String {
    /// The part of a resource name after the last slash.
    package var lastPart: String? { split(separator: "/").last.map(String.init) }
}

/// Decodes encoded paths with a cache, because a log repeats a path in every answer until it changes.
package struct PathDecoder: Sendable {
    /// The maximum number of points of all paths; further paths count as unknown.
    private let limit: Int
    private var known: [String: Route?] = [:]
    private var points = 0

    /// Creates a decoder without paths; by default it has room for the paths of a recording.
    package init(limit: Int = 4_000_000) { self.limit = limit }

    /// Decodes a path; `nil` if it cannot be decoded.
    ///
    /// Google does not support decoding, so an undecodable path is unknown, not an error.
    mutating func route(_ text: String) -> Route? {
        if let route = known[text] { return route }
        // A base64 character holds 6 bits and a point needs at least one byte, so the limit is checked before memory is
        // allocated.
        let decoded = points + text.utf8.count <= limit ? try? S2Polyline.decode(text) : nil
        let route = decoded.map { Route($0) }
        points += decoded?.count ?? 0
        known[text] = .some(route)
        return route
    }
}
