import CExpat
import TripModel

/// Reads the points of a GPX file with expat.
///
/// It reads only the file itself: external document types are not fetched. A file that declares entities is refused, which
/// prevents entity expansion attacks (billion laughs).
@safe final class GPXReader {
    private var isGPX = false
    private var track: [Coordinate] = []
    private var route: [Coordinate] = []
    private var brokenLine: UInt?
    private var hasEntities = false
    private let limit: Int
    private let parser: OpaquePointer

    private init(limit: Int, parser: OpaquePointer) {
        self.limit = limit
        unsafe self.parser = parser
    }

    /// Returns the points of the tracks (`trkpt`), or of the routes (`rtept`) if there are no tracks.
    static func points(_ text: String, limit: Int) throws(RouteFile.Problem) -> [Coordinate] {
        guard let parser = unsafe XML_ParserCreate("UTF-8") else { throw .broken("not enough memory to read it") }
        defer { unsafe XML_ParserFree(parser) }
        let reader = unsafe GPXReader(limit: limit, parser: parser)
        let bytes = Array(text.utf8)
        guard let length = Int32(exactly: bytes.count) else { throw .tooLong(limit: limit) }
        let isRead = withExtendedLifetime(reader) {
            unsafe XML_SetUserData(parser, Unmanaged.passUnretained(reader).toOpaque())
            unsafe XML_SetStartElementHandler(parser) { unsafe GPXReader.of($0)?.begin($1, $2) }
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
        guard let name = unsafe name.map({ unsafe String(cString: $0) }) else { return }
        // The namespace prefix is arbitrary.
        switch name.split(separator: ":").last {
        case "gpx": isGPX = true
        case "trkpt": if let point = unsafe point(attributes) { track.append(point) }
        case "rtept": if let point = unsafe point(attributes) { route.append(point) }
        default: break
        }
        if track.count > limit || route.count > limit { stop() }
    }

    private func point(_ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> Coordinate? {
        var (latitude, longitude): (Double?, Double?)
        var index = 0
        while let attributes = unsafe attributes, let name = unsafe attributes[index],
            let value = unsafe attributes[index + 1]
        {
            switch unsafe String(cString: name) {
            case "lat": latitude = unsafe Double(String(cString: value))
            case "lon": longitude = unsafe Double(String(cString: value))
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
