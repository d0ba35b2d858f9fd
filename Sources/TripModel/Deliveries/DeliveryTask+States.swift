extension DeliveryTask {
    /// What happens at the place of a task.
    package enum Kind: Sendable, Hashable {
        /// A shipment is picked up.
        case pickup
        /// A shipment is delivered.
        case delivery
        /// A stop for another reason, such as a depot.
        case scheduledStop
        /// A break of the driver.
        case unavailable
        /// An unknown or missing kind, as spelled by the service.
        case unrecognized(String)

        /// The known kinds.
        package static let known: [Kind] = [.pickup, .delivery, .scheduledStop, .unavailable]

        /// Creates a kind from its API name, such as `SCHEDULED_STOP`.
        package init(name: String) {
            self = Self.known.first { $0.name == name } ?? .unrecognized(name.boundedName)
        }

        /// The API name.
        package var name: String {
            switch self {
            case .pickup: "PICKUP"
            case .delivery: "DELIVERY"
            case .scheduledStop: "SCHEDULED_STOP"
            case .unavailable: "UNAVAILABLE"
            case .unrecognized(let name): name
            }
        }

        /// Whether the task is about a shipment, which has a tracking ID.
        package var hasShipment: Bool { self == .pickup || self == .delivery }
    }

    /// Whether a task is still to be done.
    package enum State: Sendable, Hashable {
        /// It is to be done; it may have an outcome already.
        case open
        /// The vehicle has left its stop, or it was closed without one; final.
        case closed
        /// An unknown or missing state, as spelled by the service.
        case unrecognized(String)

        /// Creates a state from its API name.
        package init(name: String) {
            switch name {
            case "OPEN": self = .open
            case "CLOSED": self = .closed
            default: self = .unrecognized(name.boundedName)
            }
        }

        /// The API name.
        package var name: String {
            switch self {
            case .open: "OPEN"
            case .closed: "CLOSED"
            case .unrecognized(let name): name
            }
        }
    }

    /// The result of an attempt.
    package enum Outcome: Sendable, Hashable {
        case succeeded
        /// It failed, or it was canceled, for which there is no value of its own.
        case failed
        /// An unknown outcome, as spelled by the service.
        case unrecognized(String)

        /// Creates an outcome from its API name.
        package init(name: String) {
            switch name {
            case "SUCCEEDED": self = .succeeded
            case "FAILED": self = .failed
            default: self = .unrecognized(name.boundedName)
            }
        }

        /// The API name.
        package var name: String {
            switch self {
            case .succeeded: "SUCCEEDED"
            case .failed: "FAILED"
            case .unrecognized(let name): name
            }
        }
    }
}
