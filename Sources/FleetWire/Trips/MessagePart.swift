import FleetEngineProtos
package import Foundation
import Runtime
import SwiftProtobuf
package import TripModel

/// A value of the model that a message of its own holds.
protocol MessagePart: Sendable {
    associatedtype Part: Message

    /// Creates the value of a message; `nil` if it holds none.
    init?(part: Part)

    /// The message; `nil` if there is none for the value.
    var part: Part? { get }

    /// Returns the value with its times shifted by a number of seconds.
    func shifted(by delta: TimeInterval) -> Self
}

extension MessagePart {
    func shifted(by _: TimeInterval) -> Self { self }
}

extension Date: MessagePart {
    init?(part: Google_Protobuf_Timestamp) { self = part.time }
    var part: Google_Protobuf_Timestamp? { timestamp }
    func shifted(by delta: TimeInterval) -> Date { addingTimeInterval(delta) }
}

extension TripModel.Version: MessagePart {
    init?(part: Google_Protobuf_Timestamp) { self = part.version }
    var part: Google_Protobuf_Timestamp? { timestamp }

    /// Returns the version shifted by a number of seconds; unchanged if it is not a timestamp.
    func shifted(by delta: TimeInterval) -> Self {
        Timestamp.date(rawValue).map { Self(Timestamp.text($0.addingTimeInterval(delta))) } ?? self
    }
}

extension Duration: MessagePart {
    init?(part: Google_Protobuf_Duration) { self = part.length }
    var part: Google_Protobuf_Duration? { Google_Protobuf_Duration(self) }
}

extension Distance: MessagePart {
    init?(part: Google_Protobuf_Int32Value) { self.init(meters: Double(part.value)) }
    var part: Google_Protobuf_Int32Value? { Google_Protobuf_Int32Value(self) }
}

extension Coordinate: MessagePart {
    init?(part: TerminalMessage) {
        guard let coordinate = part.coordinate else { return nil }
        self = coordinate
    }
    var part: TerminalMessage? { TerminalMessage(self) }
}

extension StopLocation: MessagePart {
    init?(part: StopMessage) {
        guard let stop = part.stop else { return nil }
        self = stop
    }
    var part: StopMessage? { StopMessage(self) }

    func shifted(by delta: TimeInterval) -> StopLocation {
        StopLocation(coordinate: coordinate, time: time?.addingTimeInterval(delta))
    }
}

extension Attribute: MessagePart {
    init?(part: TripAttributeMessage) {
        guard let attribute = part.attribute else { return nil }
        self = attribute
    }
    var part: TripAttributeMessage? { TripAttributeMessage(self) }
}

extension VehicleLocation {
    /// Returns the position with all times shifted by a number of seconds.
    package func shifted(by delta: TimeInterval) -> VehicleLocation {
        var location = self
        location.updateTime = updateTime?.addingTimeInterval(delta)
        location.serverTime = serverTime?.addingTimeInterval(delta)
        location.rawTime = rawTime?.addingTimeInterval(delta)
        return location
    }
}
