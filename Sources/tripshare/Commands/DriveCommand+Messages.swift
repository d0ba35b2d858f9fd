import Failures
import FleetEmulator
import TripModel
import TripText

/// What a drive prints, and its failures.
extension DriveCommand {
    /// The vehicle in messages.
    var name: String { "\(delivery ? "Delivery vehicle" : "Vehicle") \(shown(vehicle))" }

    /// Returns the line about a change that the service has accepted; `nil` for other events.
    func words(_ event: DriverEvent) -> String? {
        switch event {
        case .online: delivery ? "\(name) reports its position." : "\(name) is ONLINE."
        case .moved(let trip, let status): "Trip \(shown(trip.rawValue)) is \(status.name)."
        case .stop(let tasks, let state):
            "Stop \(tasks.map { shown($0.rawValue) }.joined(separator: ", ")) is \(state.name)."
        case .outcome(let task, let outcome): "Task \(shown(task.rawValue)) has the outcome \(outcome.name)."
        // The end of the command says it, with the reason for the end.
        case .offline: nil
        case .notOffline, .interrupted, .restored, .unsent: nil
        }
    }

    /// Returns the failure of the command for an error of the driver.
    static func failure(_ error: DriverError, ofDeliveries: Bool = false) -> CommandFailure {
        func failure(_ status: ExitStatus, _ advice: @escaping @Sendable (Localizer) -> String) -> CommandFailure {
            CommandFailure(status) {
                $0(.failureDriving(reason: EmulatorRun.words(error, $0), advice: advice($0)))
            }
        }
        switch error {
        case .refused(let call, 403, _) where ["UpdateDeliveryVehicle", "UpdateTask"].contains(call):
            return failure(.notPermitted) { $0(.adviceTrustedDriver) }
        // The vehicle's own calls succeeded so far, so another client has ended or changed the trip.
        case .refused("UpdateTrip", let status, _) where [400, 409].contains(status):
            return failure(.badInput) { $0(.adviceCheckTrip) }
        case .refused(_, 401, _) where error.isOfOperator, .refused(_, 403, _) where error.isOfOperator,
            .noToken where error.isOfOperator:
            return failure(.notPermitted) { $0(.adviceOperatorKey) }
        case .refused("GetTrip", 404, _): return failure(.notFound) { $0(.adviceCheckTrip) }
        case .refused(_, let status, _):
            let exit: ExitStatus =
                switch status {
                case 401, 403: .notPermitted
                case 404: .notFound
                case 500...: .unavailable
                default: .badConfiguration
                }
            return failure(exit) { $0(ofDeliveries ? .adviceCheckDeliveryVehicle : .adviceCheckVehicle) }
        case .unreachable(_, let cause) where cause.code == .unusableProxy:
            let reason = cause.reason ?? ""
            return failure(.badConfiguration) { excerpt(reason) + $0(.fullStop) }
        case .unreachable(_, let cause) where cause.code == .proxyFailed:
            let reason = cause.reason ?? ""
            return failure(.unavailable) { excerpt(reason) + $0(.fullStop) }
        case .unreachable: return failure(.unavailable) { $0(.badURLAdvice) }
        case .noToken:
            return failure(.notPermitted) {
                $0(ofDeliveries ? .adviceFetchDeliveryVehicleToken : .adviceFetchVehicleToken)
            }
        case .cancelled: return .silent(.interrupted)
        }
    }
}
