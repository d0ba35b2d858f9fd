import Foundation
import Synchronization
package import TripModel

/// The maximum number of elements of each kind per message, over all its lists.
///
/// The numbers are far above what Fleet Engine sends, and low enough that every processing step is fast.
package enum ElementLimits {
    private static let table: [ElementKind: Int] = [
        // A rider's vehicle has about ten.
        .waypoints: 500,
        // A route of 100 km has about 5,000.
        .pathPoints: 20_000,
        .trafficIntervals: 5000,
        .stops: 200,
        // The maximum that the service accepts from a provider.
        .attributes: 100,
        .pastLocations: 1000,
        .names: 1000,
        .errorDetails: 100,
    ]

    /// The maximum number of values in a body: several times as many as a message with lists at their limits has.
    package static let maximumValues = 150_000

    /// Returns the maximum number of elements of a kind per message.
    package static func maximum(of kind: ElementKind) -> Int { table[kind] ?? 0 }
}

/// The remaining limits of one message, and the number of omitted elements.
final class ElementBudget: Sendable {
    private struct Count {
        var used = 0
        var omitted = 0
    }

    private let counts = Locked<[ElementKind: Count]>([:])

    /// The `userInfo` key of a decoder's budget.
    static let key: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "elementBudget") else {
            preconditionFailure("a key of a coder is any text")
        }
        return key
    }()

    /// Reserves up to `count` elements; the rest is counted as omitted.
    func take(_ count: Int, of kind: ElementKind) -> Int {
        counts.withLock { counts in
            let known = counts[kind] ?? Count()
            let taken = min(count, ElementLimits.maximum(of: kind) - known.used)
            counts[kind] = Count(used: known.used + taken, omitted: known.omitted + count - taken)
            return taken
        }
    }

    /// Renews the limits for the next message of a list; the omitted elements stay counted.
    func renew() {
        counts.withLock { counts in
            for kind in counts.keys { counts[kind]?.used = 0 }
        }
    }

    /// The omitted elements in the order of the kinds.
    var omitted: [OmittedElements] {
        let counts = counts.withLock { $0 }
        return ElementKind.allCases.compactMap { kind in
            guard let count = counts[kind]?.omitted, count > 0 else { return nil }
            return OmittedElements(kind: kind, count: count)
        }
    }
}

extension Decoder {
    /// The budget of the decoded message; a new one if the decoder has none.
    var elementBudget: ElementBudget { userInfo[ElementBudget.key] as? ElementBudget ?? ElementBudget() }
}

/// An element of a list with a limited length.
protocol BoundedElement: Codable, Equatable {
    /// The kind for the limit.
    static var kind: ElementKind { get }
}

/// A list that decodes no more elements than the message's budget permits.
///
/// Elements beyond the limit are not parsed, so they have no cost and cause no errors.
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

/// An encoded path.
struct EncodedPath: Codable, Equatable {
    private let text: String
    /// The points; `nil` if it cannot be decoded, because Google does not support decoding.
    let points: [Coordinate]?

    init(_ points: [Coordinate]) {
        text = S2Polyline.encode(points)
        self.points = points
    }

    init(from decoder: any Decoder) throws {
        let encoded = try decoder.singleValueContainer().decode(String.self)
        text = ""
        let budget = decoder.elementBudget
        // A path that cannot be decoded counts as missing: the rest of the answer is still used.
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
