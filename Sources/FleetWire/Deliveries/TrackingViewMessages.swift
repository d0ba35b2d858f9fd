import FleetEngineProtos
import SwiftProtobuf
package import TripModel

/// `TaskTrackingViewConfig`.
extension TrackingViewConfig {
    /// Creates the config of an answer; a condition that is not valid counts as missing.
    init(_ message: ViewConfigMessage) {
        self.init()
        for field in ViewConfigMessage.fields {
            self[keyPath: field.condition] = message[keyPath: field.option].visibility
        }
    }

    /// Creates the config of a request; throws ``WireError`` for a condition that is not valid.
    init(_ message: ViewConfigMessage, checkedAt path: String) throws(WireError) {
        self.init(message)
        for field in ViewConfigMessage.fields {
            let option = message[keyPath: field.option]
            guard option.visibilityOption == nil || option.visibility != nil else {
                throw .unexpected(
                    path: "\(path).\(field.name)",
                    reason: "true or a number that is not negative is expected"
                )
            }
        }
    }
}

extension ViewConfigMessage {
    /// One value; a config says when it is visible.
    fileprivate struct Field {
        let name: String
        let option: WritableKeyPath<ViewConfigMessage, VisibilityOption>
        let condition: WritableKeyPath<TrackingViewConfig, TrackingViewConfig.Visibility?>
    }

    fileprivate static var fields: [Field] {
        [
            Field(
                name: "routePolylinePointsVisibility",
                option: \.routePolylinePointsVisibility,
                condition: \.route
            ),
            Field(
                name: "estimatedArrivalTimeVisibility",
                option: \.estimatedArrivalTimeVisibility,
                condition: \.estimatedArrival
            ),
            Field(
                name: "estimatedTaskCompletionTimeVisibility",
                option: \.estimatedTaskCompletionTimeVisibility,
                condition: \.estimatedCompletion
            ),
            Field(
                name: "remainingDrivingDistanceVisibility",
                option: \.remainingDrivingDistanceVisibility,
                condition: \.remainingDistance
            ),
            Field(
                name: "remainingStopCountVisibility",
                option: \.remainingStopCountVisibility,
                condition: \.remainingStopCount
            ),
            Field(
                name: "vehicleLocationVisibility",
                option: \.vehicleLocationVisibility,
                condition: \.vehicleLocation
            ),
        ]
    }

    /// Creates the message of a config.
    package init(_ config: TrackingViewConfig) {
        self.init()
        for field in Self.fields {
            guard let visibility = config[keyPath: field.condition] else { continue }
            self[keyPath: field.option] = VisibilityOption(visibility)
        }
    }
}

extension ViewConfigMessage.VisibilityOption {
    fileprivate init(_ visibility: TrackingViewConfig.Visibility) {
        self.init()
        switch visibility {
        case .remainingStops(let count): remainingStopCountThreshold = Int32(clamping: count)
        case .timeUntilArrival(let time):
            durationUntilEstimatedArrivalTimeThreshold = Google_Protobuf_Duration(time)
        case .remainingDistance(let meters): remainingDrivingDistanceMetersThreshold = Int32(clamping: meters)
        case .always: always = true
        case .never: never = true
        }
    }

    /// The condition; `nil` if none is set, and for `false` and a negative number, which have no meaning.
    fileprivate var visibility: TrackingViewConfig.Visibility? {
        switch visibilityOption {
        case .remainingStopCountThreshold(let count): count < 0 ? nil : .remainingStops(Int(count))
        case .durationUntilEstimatedArrivalTimeThreshold(let time):
            time.length < .zero ? nil : .timeUntilArrival(time.length)
        case .remainingDrivingDistanceMetersThreshold(let meters): meters < 0 ? nil : .remainingDistance(Int(meters))
        case .always(let isSet): isSet ? .always : nil
        case .never(let isSet): isSet ? .never : nil
        case nil: nil
        }
    }
}
