package import Foundation
package import Runtime

/// The number of an event in the stream of a session.
package struct EventNumber: Sendable, Hashable, Comparable {
    /// The number: 1 for the first event, 0 before it.
    package let rawValue: Int

    /// The number before the first event.
    package static let none = EventNumber(rawValue: 0)

    /// The number of the event after this one.
    package var next: EventNumber { EventNumber(rawValue: rawValue + 1) }

    package static func < (one: EventNumber, other: EventNumber) -> Bool { one.rawValue < other.rawValue }
}

/// Which event something is known from, and when it was received.
package struct EventStamp: Sendable, Hashable {
    /// The number of the event.
    package let number: EventNumber
    /// When it was received, by the clocks of this machine.
    package let received: Moment
}

/// A value of a journey and where it is from.
package struct Fact<Value: Sendable>: Sendable {
    /// The value.
    package let value: Value
    /// The event that it came with.
    package let stamp: EventStamp
    /// When it was measured, by the sender's clock; `nil` if unknown, and if that time is after the receipt.
    package let measured: Date?

    /// Creates the fact of an event.
    ///
    /// A time of measurement after `latest`, the receipt by the sender's clock, measures nothing.
    init(_ value: Value, _ stamp: EventStamp, measured: Date? = nil, latest: Date = .distantFuture) {
        (self.value, self.stamp) = (value, stamp)
        self.measured = measured.flatMap { $0 <= latest ? $0 : nil }
    }
}

extension Fact: Equatable where Value: Equatable {}
