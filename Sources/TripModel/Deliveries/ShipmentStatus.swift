/// The status of a shipment: the state and the outcome of its task.
///
/// An outcome counts as soon as it is known, although the task is closed later.
package enum ShipmentStatus: Sendable, Hashable {
    /// The task is to be done.
    case open
    /// The shipment was delivered or picked up; terminal.
    case succeeded
    /// The attempt failed, or the shipment was canceled; another attempt may follow.
    case failed
    /// The task was closed without an outcome; another one may follow, for example because of a new place.
    case closed
    /// An unknown or missing state or outcome, as spelled by the service.
    case unrecognized(String)

    /// The known statuses.
    package static let known: [ShipmentStatus] = [.open, .succeeded, .failed, .closed]

    /// Creates a status from its name, such as `OPEN`.
    package init(name: String) {
        self = Self.known.first { $0.name == name } ?? .unrecognized(name.boundedName)
    }

    /// Creates the status from the state and the outcome of the task.
    package init(_ state: DeliveryTask.State, _ outcome: DeliveryTask.Outcome?) {
        self =
            switch (outcome, state) {
            case (.succeeded, _): .succeeded
            case (.failed, _): .failed
            case (.unrecognized(let name), _): .unrecognized(name)
            case (nil, .open): .open
            case (nil, .closed): .closed
            case (nil, .unrecognized(let name)): .unrecognized(name)
            }
    }

    /// The API name of the state or the outcome.
    package var name: String {
        switch self {
        case .open: "OPEN"
        case .succeeded: "SUCCEEDED"
        case .failed: "FAILED"
        case .closed: "CLOSED"
        case .unrecognized(let name): name
        }
    }

    /// Whether the status is final: SUCCEEDED.
    package var isTerminal: Bool { self == .succeeded }

    /// The progress of a shipment for comparisons, on the scale of ``TripStatus/rank``; `nil` for a status that says nothing
    /// about it.
    package var rank: Int? {
        switch self {
        case .open: 0
        case .succeeded: 5
        case .failed, .closed, .unrecognized: nil
        }
    }
}

extension TaskTrackingInfo {
    /// The status of the shipment.
    package var status: ShipmentStatus { ShipmentStatus(state, outcome) }
}
