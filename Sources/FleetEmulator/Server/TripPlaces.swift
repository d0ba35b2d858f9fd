import FleetWire
import Foundation
import Runtime
import Synchronization
import TripModel

/// The fields `place` and `pointLocationSource` of the locations of trips.
///
/// The REST documentation describes them and the published messages do not have them. They are therefore removed from the
/// bodies of requests, stored here, and inserted into the REST answers.
final class TripPlaces: Sendable {
    /// The additional fields of one `TerminalLocation`.
    struct Place: Sendable, Equatable {
        /// The resource name `places/{id}`.
        var name: String?
        /// How the point was determined, by its API name.
        var source: String?
    }

    /// The additional fields of a trip by the names of its locations; for a list, the fields of its elements.
    typealias Places = [String: [Place]]

    /// The fields of a trip that hold locations.
    static let fields = ["pickupPoint", "dropoffPoint", "intermediateDestinations"]
    static let sources = [
        "POINT_SOURCE_UNSPECIFIED", "POINT_SOURCE_DEVELOPER_PROVIDED", "POINT_SOURCE_CALCULATED_FROM_PLACE",
    ]

    private struct Entry {
        var places: Places
        var since: Date
    }

    private let entries = Mutex<[TripID: Entry]>([:])

    /// Stores the fields of a request that the service has accepted.
    func store(_ places: Places, after call: FleetRequest, at now: Date) {
        switch call {
        case .createTrip(let id, _):
            entries.withLock { entries in
                // As long as the service stores a trip.
                entries = entries.filter { now.timeIntervalSince($0.value.since) < 7 * 86_400 }
                entries[id] = places.isEmpty ? nil : Entry(places: places, since: now)
            }
        case .updateTrip(let id, let mask, _):
            let changed = Self.fields.filter(mask.contains)
            guard !changed.isEmpty else { return }
            entries.withLock { entries in
                var entry = entries[id] ?? Entry(places: [:], since: now)
                for field in changed { entry.places[field] = places[field] }
                entries[id] = entry.places.isEmpty ? nil : entry
            }
        case .deleteTrip(let id): entries.withLock { entries in entries[id] = nil }
        default: break
        }
    }

    /// Inserts the stored fields of trips into the body of an answer.
    func insert(into body: [UInt8], of trips: [Trip], asNumbers: Bool) -> [UInt8] {
        let known = entries.withLock { entries in
            entries.isEmpty ? [:] : trips.reduce(into: [:]) { $0[$1.id.rawValue] = entries[$1.id]?.places }
        }
        guard !known.isEmpty, var value = JSONValue(body) else { return body }
        if let list = value["trips"], case .array(let elements) = list {
            value.set("trips", .array(elements.map { $0.adding(known, asNumbers: asNumbers) }))
        } else {
            value = value.adding(known, asNumbers: asNumbers)
        }
        return JSONBytes.encode(value)
    }
}

extension JSONValue {
    /// Returns a trip with the fields that are stored for its ID.
    fileprivate func adding(_ known: [String: TripPlaces.Places], asNumbers: Bool) -> JSONValue {
        guard let id = self["name"]?.string?.split(separator: "/").last, let places = known[String(id)] else {
            return self
        }
        var trip = self
        for (field, places) in places {
            switch trip[field] {
            case .object?: trip.set(field, trip[field]?.with(places.first, asNumbers: asNumbers))
            case .array(let values)?:
                let filled = zip(values, places).map { $0.with($1, asNumbers: asNumbers) }
                trip.set(field, .array(filled + values.dropFirst(filled.count)))
            default: break
            }
        }
        return trip
    }

    private func with(_ place: TripPlaces.Place?, asNumbers: Bool) -> JSONValue {
        var location = self
        if let name = place?.name { location.set("place", .string(name)) }
        if let source = place?.source, let number = TripPlaces.sources.firstIndex(of: source) {
            location.set("pointLocationSource", asNumbers ? .number(Double(number)) : .string(source))
        }
        return location
    }

    /// Sets a member of an object; `nil` removes it.
    fileprivate mutating func set(_ key: String, _ value: JSONValue?) {
        guard case .object(var members) = self else { return }
        members.removeAll { $0.key == key }
        if let value { members.append(Member(key: key, value: value)) }
        self = .object(members)
    }
}

/// Caches encoded trips until they change, because polls are much more frequent than reports.
///
/// The remaining time to the first waypoint depends on the time of the answer, so it is inserted into the cached bytes.
final class TripAnswers: Sendable {
    private struct Entry {
        /// The encoded trip, without the remaining time.
        var trip: Trip
        var format: PathFormat
        /// The bytes before and after the remaining time; `before` holds all bytes if there is none.
        var before: ArraySlice<UInt8>
        var after: ArraySlice<UInt8>
    }

    /// The maximum number of cached trips.
    private static let limit = 256
    /// A marker value that no trip has, to find the position of the remaining time in the bytes.
    private static let mark = Duration.milliseconds(-315_359_999_999)

    private let entries = Mutex<[TripID: Entry]>([:])

    /// Returns the encoded trip.
    func bytes(of trip: Trip, format: PathFormat) -> [UInt8] {
        var timeless = trip
        timeless.remainingTime = nil
        let entry: Entry
        if let known = entries.withLock({ $0[trip.id] }), known.format == format,
            (known.after.isEmpty) == (trip.remainingTime == nil), known.trip == timeless
        {
            entry = known
        } else {
            entry = Self.entry(timeless, hasTime: trip.remainingTime != nil, format)
            entries.withLock { entries in
                if entries.count >= Self.limit { entries.removeAll() }
                entries[trip.id] = entry
            }
        }
        guard let time = trip.remainingTime else { return Array(entry.before) }
        return entry.before + Array(DurationText.text(time).utf8) + entry.after
    }

    private static func entry(_ timeless: Trip, hasTime: Bool, _ format: PathFormat) -> Entry {
        var marked = timeless
        if hasTime { marked.remainingTime = mark }
        let bytes = TripCoding.encode(marked, format: format)
        let text = Array(DurationText.text(mark).utf8)
        let place = hasTime ? bytes.indices.first { bytes[$0...].starts(with: text) } : nil
        return Entry(
            trip: timeless,
            format: format,
            before: bytes[..<(place ?? bytes.endIndex)],
            after: place.map { bytes[($0 + text.count)...] } ?? []
        )
    }
}
