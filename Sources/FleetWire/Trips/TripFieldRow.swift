import FleetEngineProtos
package import Foundation
import SwiftProtobuf
package import TripModel

/// What is known about one field of a trip: how it is read, written, shifted in time, and compared.
///
/// A new field is a property of ``Trip`` and a row of the table ``all``.
package struct TripFieldRow: Sendable {
    /// The value of a field to compare: a name or a number, places, or both.
    package typealias Content = (text: String?, places: [Coordinate?])

    /// Sets the field of a trip from a message.
    private(set) var read: @Sendable (TripMessage, inout MessageReader, inout Trip) -> Void = { _, _, _ in }
    /// Sets the field of a message from a trip.
    private(set) var write: @Sendable (Trip, inout MessageWriter, inout TripMessage) -> Void = { _, _, _ in }
    /// Shifts the times in the field by a number of seconds; `nil` without any.
    private(set) var shift: (@Sendable (inout Trip, TimeInterval) -> Void)?
    /// How a change is reported; `nil` if it is not.
    private(set) var change: Change?

    /// How a change of a field is reported.
    struct Change {
        let field: TripField
        let differs: @Sendable (Journey, Journey) -> Bool
        let isInFirst: @Sendable (Journey) -> Bool
        let isOfPlan: (@Sendable (_ before: Journey, _ after: Journey) -> Bool)?
        var content: (@Sendable (Journey) -> Content)?
    }

    // MARK: Rows

    /// Returns a row of a value that a message of its own holds.
    static func part<Value: MessagePart>(
        _ value: any WritableKeyPath<Trip, Value?> & Sendable,
        _ part: any WritableKeyPath<TripMessage, Value.Part> & Sendable,
        _ isSet: @escaping @Sendable (TripMessage) -> Bool
    ) -> TripFieldRow {
        TripFieldRow(
            read: { message, _, trip in
                if isSet(message) { trip[keyPath: value] = Value(part: message[keyPath: part]) }
            },
            write: { trip, _, message in message.set(part, trip[keyPath: value]?.part) },
            shift: { trip, delta in trip[keyPath: value] = trip[keyPath: value]?.shifted(by: delta) }
        )
    }

    /// Returns a row of a list of values, each in a message of its own, within the limit for a kind of elements.
    static func list<Value: MessagePart>(
        _ values: any WritableKeyPath<Trip, [Value]> & Sendable,
        _ parts: any WritableKeyPath<TripMessage, [Value.Part]> & Sendable,
        _ kind: ElementKind
    ) -> TripFieldRow {
        TripFieldRow(
            read: { message, reader, trip in
                trip[keyPath: values] = reader.bounded(message[keyPath: parts], kind).compactMap(Value.init(part:))
            },
            write: { trip, _, message in message[keyPath: parts] = trip[keyPath: values].compactMap(\.part) },
            shift: { trip, delta in trip[keyPath: values] = trip[keyPath: values].map { $0.shifted(by: delta) } }
        )
    }

    /// Returns the row of a field whose changes are reported.
    ///
    /// - Parameters:
    ///   - field: The name of the field.
    ///   - value: The value that differs: a function, because access through a key path is slow.
    ///   - isInFirst: Whether a first answer counts as a change.
    ///   - isOfPlan: Whether a change between two answers is one of the plan; `nil` if it never is.
    /// - Returns: The row.
    func reported<Value: Equatable & SendableMetatype>(
        as field: TripField,
        _ value: @escaping @Sendable (Journey) -> Value,
        inFirst isInFirst: @escaping @Sendable (Journey) -> Bool = { _ in true },
        plan isOfPlan: (@Sendable (_ before: Journey, _ after: Journey) -> Bool)? = nil
    ) -> TripFieldRow {
        var row = self
        let differs: @Sendable (Journey, Journey) -> Bool = { value($0) != value($1) }
        row.change = Change(field: field, differs: differs, isInFirst: isInFirst, isOfPlan: isOfPlan)
        return row
    }

    /// Returns the row of a reported field that sessions are compared by, as a rider sees it.
    func compared(_ content: @escaping @Sendable (Journey) -> Content) -> TripFieldRow {
        var row = self
        row.change?.content = content
        return row
    }

    // MARK: Use

    private static let changes = all.compactMap(\.change)

    /// Returns the fields that differ; those of a first answer are the ones that it has.
    package static func changes(from old: Journey?, to new: Journey) -> Set<TripField> {
        Set(changes.filter { change in old.map { change.differs($0, new) } ?? change.isInFirst(new) }.map(\.field))
    }

    /// Returns the parts of the plan that differ, in the order of ``TripField``.
    package static func planChanges(from old: Journey, to new: Journey) -> [TripField] {
        let fields = changes.filter { $0.isOfPlan?(old, new) == true && $0.differs(old, new) }.map(\.field)
        return TripField.allCases.filter(fields.contains)
    }

    /// Returns the values that sessions are compared by.
    package static func contents(of journey: Journey) -> [(field: TripField, content: Content)] {
        changes.compactMap { change in change.content.map { (change.field, $0(journey)) } }
    }
}

extension Trip {
    /// Returns the trip with all times shifted by a number of seconds.
    package func shifted(by delta: TimeInterval) -> Trip {
        var trip = self
        for row in TripFieldRow.all { row.shift?(&trip, delta) }
        return trip
    }
}
