import Foundation
import Synchronization
package import TripModel

/// How many elements of each kind one message may hold, over all its lists.
///
/// The numbers are far above what Fleet Engine sends, and low enough that no step from the bytes to the screen takes long.
package enum ElementLimits {
    private static let table: [ElementKind: Int] = [
        // A rider's vehicle has ten or so before it.
        .waypoints: 500,
        // A route of 100 km has about 5,000.
        .pathPoints: 20_000,
        .trafficIntervals: 5000,
        .stops: 200,
        // The most that the service lets a provider set.
        .attributes: 100,
        .pastLocations: 1000,
        .names: 1000,
        .errorDetails: 100,
    ]

    /// The most elements of a kind that are decoded of one message.
    package static func maximum(of kind: ElementKind) -> Int { table[kind] ?? 0 }
}

/// What may still be decoded of one message, and what was left out of it.
final class ElementBudget: Sendable {
    private struct Count {
        var used = 0
        var omitted = 0
    }

    private let counts = Locked<[ElementKind: Count]>([:])

    /// The key under which a decoder carries the budget of its message.
    static let key: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "elementBudget") else {
            preconditionFailure("a key of a coder is any text")
        }
        return key
    }()

    /// Takes as many of some elements as may still be decoded; the others are counted as left out.
    func take(_ count: Int, of kind: ElementKind) -> Int {
        counts.withLock { counts in
            let known = counts[kind] ?? Count()
            let taken = min(count, ElementLimits.maximum(of: kind) - known.used)
            counts[kind] = Count(used: known.used + taken, omitted: known.omitted + count - taken)
            return taken
        }
    }

    /// What was left out, in the order of the kinds.
    var omitted: [OmittedElements] {
        let counts = counts.withLock { $0 }
        return ElementKind.allCases.compactMap { kind in
            guard let count = counts[kind]?.omitted, count > 0 else { return nil }
            return OmittedElements(kind: kind, count: count)
        }
    }
}

extension Decoder {
    /// The budget of the message that is decoded; a new one where the decoder carries none.
    var elementBudget: ElementBudget { userInfo[ElementBudget.key] as? ElementBudget ?? ElementBudget() }
}

/// An element of a list whose length is bounded.
protocol BoundedElement: Codable, Equatable {
    /// What it counts as.
    static var kind: ElementKind { get }
}

/// A list of a message, of which no more elements are decoded than the budget of the message allows.
///
/// What is beyond is not looked at, so that it costs nothing and can't be wrong.
struct BoundedList<Element: BoundedElement>: Codable, Equatable {
    var elements: [Element]

    init(_ elements: [Element]) { self.elements = elements }

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        let allowed = decoder.elementBudget.take(container.count ?? 0, of: Element.kind)
        elements = []
        elements.reserveCapacity(allowed)
        for _ in 0..<allowed { elements.append(try container.decode(Element.self)) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(elements)
    }
}

/// An encoded path of a message.
struct EncodedPath: Codable, Equatable {
    private let text: String
    /// The points, or none: Google calls decoding unsupported, so a path that can't be read is a path not known.
    let points: [Coordinate]?

    init(_ points: [Coordinate]) {
        text = S2Polyline.encode(points)
        self.points = points
    }

    init(from decoder: any Decoder) throws {
        let encoded = try decoder.singleValueContainer().decode(String.self)
        text = ""
        let budget = decoder.elementBudget
        points = try? S2Polyline.decode(encoded) { budget.take($0, of: .pathPoints) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension LatLngMessage: BoundedElement { static var kind: ElementKind { .pathPoints } }
extension TrafficMessage.Interval: BoundedElement { static var kind: ElementKind { .trafficIntervals } }
extension WaypointMessage: BoundedElement { static var kind: ElementKind { .waypoints } }
extension TerminalLocationMessage: BoundedElement { static var kind: ElementKind { .stops } }
extension StopLocationMessage: BoundedElement { static var kind: ElementKind { .stops } }
extension AttributeMessage: BoundedElement { static var kind: ElementKind { .attributes } }
extension LocationMessage: BoundedElement { static var kind: ElementKind { .pastLocations } }
extension String: BoundedElement { static var kind: ElementKind { .names } }
