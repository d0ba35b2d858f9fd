import CExpat
import Foundation
import Runtime
import TripModel

/// Reads the points of a GPX file with expat.
///
/// It reads only the file itself: external document types are not fetched. A file that declares entities is refused, which
/// prevents entity expansion attacks (billion laughs).
@safe final class GPXReader {
    /// A point of a track or a route.
    struct Point {
        var place: Coordinate
        /// When it was measured, in seconds since 1970; `nil` if it has no time.
        var time: Double?
    }

    /// The longest time that is read, in characters.
    private static let longestTime = 64

    private var isGPX = false
    private var track: [Point] = []
    private var route: [Point] = []
    /// The text of the time that is being read; `nil` outside of one.
    private var time: String?
    /// The list with the point that is being read; `nil` outside of one.
    private var open: ReferenceWritableKeyPath<GPXReader, [Point]>?
    private var brokenLine: UInt?
    private var hasEntities = false
    private let limit: Int
    private let parser: OpaquePointer

    private init(limit: Int, parser: OpaquePointer) {
        self.limit = limit
        unsafe self.parser = parser
    }

    /// Returns the points of the tracks (`trkpt`), or of the routes (`rtept`) if there are no tracks.
    static func points(_ text: String, limit: Int) throws(RouteFile.Problem) -> [Point] {
        guard let parser = unsafe XML_ParserCreate("UTF-8") else { throw .broken("not enough memory to read it") }
        defer { unsafe XML_ParserFree(parser) }
        let reader = unsafe GPXReader(limit: limit, parser: parser)
        let bytes = Array(text.utf8)
        guard let length = Int32(exactly: bytes.count) else { throw .tooLong(limit: limit) }
        let isRead = withExtendedLifetime(reader) {
            unsafe XML_SetUserData(parser, Unmanaged.passUnretained(reader).toOpaque())
            unsafe XML_SetStartElementHandler(parser) { unsafe GPXReader.of($0)?.begin($1, $2) }
            unsafe XML_SetEndElementHandler(parser) { unsafe GPXReader.of($0)?.end($1) }
            unsafe XML_SetCharacterDataHandler(parser) { unsafe GPXReader.of($0)?.add($1, length: $2) }
            unsafe XML_SetEntityDeclHandler(parser) { data, _, _, _, _, _, _, _, _ in
                unsafe GPXReader.of(data)?.refuseEntities()
            }
            return unsafe bytes.withUnsafeBufferPointer { buffer in
                unsafe buffer.withMemoryRebound(to: CChar.self) {
                    unsafe XML_Parse(parser, $0.baseAddress, length, 1) == XML_STATUS_OK
                }
            }
        }
        if reader.hasEntities { throw .broken("it declares XML entities, which are not supported") }
        if reader.track.count > limit || reader.route.count > limit { throw .tooLong(limit: limit) }
        guard isRead else { throw .broken("line \(unsafe XML_GetCurrentLineNumber(parser)) is not XML") }
        guard reader.isGPX else { throw .unknownFormat }
        if let line = reader.brokenLine { throw .broken("the point in line \(line) has no lat and lon") }
        return reader.track.isEmpty ? reader.route : reader.track
    }

    private static func of(_ data: UnsafeMutableRawPointer?) -> GPXReader? {
        unsafe data.map { unsafe Unmanaged<GPXReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private func refuseEntities() {
        hasEntities = true
        stop()
    }

    private func stop() {
        // This fails only for a parser that has already stopped.
        _ = unsafe XML_StopParser(parser, 0)
    }

    /// Handles the start of an element; `attributes` alternates names and values and ends with `nil`.
    private func begin(
        _ name: UnsafePointer<CChar>?,
        _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) {
        switch unsafe Self.local(name) {
        case "gpx": isGPX = true
        case "trkpt": unsafe begin(\.track, attributes)
        case "rtept": unsafe begin(\.route, attributes)
        case "time": if open != nil { time = "" }
        default: break
        }
        if track.count > limit || route.count > limit { stop() }
    }

    private func begin(
        _ list: ReferenceWritableKeyPath<GPXReader, [Point]>,
        _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) {
        guard let place = unsafe point(attributes) else { return }
        self[keyPath: list].append(Point(place: place))
        open = list
    }

    /// Handles the end of an element.
    private func end(_ name: UnsafePointer<CChar>?) {
        switch unsafe Self.local(name) {
        case "trkpt", "rtept": open = nil
        case "time":
            if let open, self[keyPath: open].last?.time == nil,
                let text = time?.trimmingCharacters(in: .whitespacesAndNewlines)
            {
                // Without a time zone, which GPX prescribes, a time counts as UTC.
                let date = Timestamp.date(text) ?? Timestamp.date(text + "Z")
                self[keyPath: open][self[keyPath: open].count - 1].time = date?.timeIntervalSince1970
            }
            time = nil
        default: break
        }
    }

    /// Handles a part of the text of an element.
    private func add(_ text: UnsafePointer<CChar>?, length: Int32) {
        guard let collected = time, let text = unsafe text, length > 0 else { return }
        let bytes = unsafe UnsafeBufferPointer(start: text, count: Int(length))
        let part = unsafe String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        time = String((collected + part).prefix(Self.longestTime))
    }

    /// Returns the name of an element without its namespace prefix, which is arbitrary.
    private static func local(_ name: UnsafePointer<CChar>?) -> String? {
        unsafe name.flatMap { unsafe String(cString: $0).split(separator: ":").last.map(String.init) }
    }

    private func point(_ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> Coordinate? {
        var (latitude, longitude): (Double?, Double?)
        var index = 0
        while let attributes = unsafe attributes, let name = unsafe attributes[index],
            let value = unsafe attributes[index + 1]
        {
            switch unsafe String(cString: name) {
            case "lat": latitude = unsafe Double(decimal: String(cString: value))
            case "lon": longitude = unsafe Double(decimal: String(cString: value))
            default: break
            }
            index += 2
        }
        guard let latitude, let longitude else {
            brokenLine = brokenLine ?? UInt(unsafe XML_GetCurrentLineNumber(parser))
            return nil
        }
        return Coordinate(latitude: latitude, longitude: longitude)
    }
}
