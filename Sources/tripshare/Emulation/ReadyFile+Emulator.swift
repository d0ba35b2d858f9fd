import FleetEmulator
import FleetTokens
import TripFeed
import TripModel

/// The ready file of an emulator in this process.
extension ReadyFile {
    /// Describes an emulator that listens.
    init(_ address: EmulatorAddress, world: EmulatedWorld, clock: ScaledClock) {
        self.init(
            fleetEngineURL: address.fleetEngineURL,
            tokenURL: address.consumerTokenURL,
            vehicleTokenURL: address.driverTokenURL,
            serverTokenURL: address.serverTokenURL,
            certificatesURL: address.certificatesURL,
            controlURL: address.controlURL,
            providerId: world.service.provider.rawValue,
            tripIds: world.trips.map(\.rawValue),
            vehicleIds: world.vehicles.map(\.rawValue),
            clock: Clock(clock.anchor),
            absentFields: world.absentFields.isEmpty ? nil : world.absentFields.map(\.rawValue).sorted()
        )
        trackingTokenURL = address.trackingTokenURL
        deliveryVehicleTokenURL = address.deliveryVehicleTokenURL
        trustedDeliveryVehicleTokenURL = address.trustedDeliveryVehicleTokenURL
        deliveryServerTokenURL = address.deliveryServerTokenURL
        trackingIds = world.shipments.map(\.rawValue)
        deliveryVehicleIds = world.deliveryVehicles.map(\.rawValue)
        iamURL = address.credentials.iamURL
        oauthTokenURL = address.credentials.oauthTokenURL
        stsURL = address.credentials.stsURL
        metadataHost = address.credentials.metadataHost
        tokenSecret = address.tokenSecret?.revealed
    }

    /// Rewrites the file on each clock change, so that other processes share the emulator's time, until the task is cancelled.
    ///
    /// A file that was removed, or that belongs to another emulator, is not changed.
    func synchronize(_ path: String, with clock: ScaledClock) async {
        var seen = 0
        while true {
            await clock.change(after: seen)
            guard !Task.isCancelled, anchor(at: path) != nil else { return }
            seen = clock.changes
            var file = self
            file.clock = Clock(clock.anchor)
            do throws(CommandFailure) { try file.write(to: path) } catch { Printing.error(error.message) }
        }
    }
}

extension ReadyFile {
    /// The announced trips and shipments.
    var journeys: [JourneyName] {
        // The emulator wrote the IDs, which have no slash.
        tripIds.map { JourneyName($0, as: .trip) } + (trackingIds ?? []).map { JourneyName($0, as: .shipment) }
    }

    /// The announced vehicles, whose IDs the emulator has checked.
    var drivenVehicles: [DrivenVehicle] {
        vehicleIds.compactMap { try? VehicleID($0) }.map(DrivenVehicle.ofTrips)
            + (deliveryVehicleIds ?? []).compactMap { try? DeliveryVehicleID($0) }.map(DrivenVehicle.ofDeliveries)
    }

    /// Returns the URL template for tokens of a kind; `nil` if the emulator has none.
    func tokenURL(for kind: AuthorizationContext.Kind) -> String? {
        switch kind {
        case .trip: tokenURL
        case .vehicle: vehicleTokenURL
        case .tracking: trackingTokenURL
        case .deliveryVehicle: deliveryVehicleTokenURL
        case .task: deliveryServerTokenURL
        case .server: serverTokenURL
        }
    }
}
