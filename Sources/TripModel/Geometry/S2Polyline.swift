package import Foundation

/// The encoded paths of Fleet Engine (`currentRouteSegment`, `encodedPathToWaypoint`): compressed S2 polylines.
///
/// Google does not document this format and does not support decoding it. A cell at level 22 is about 2 m wide, so a decoded
/// path is accurate to about 1 m. It differs from the Maps "encoded polyline", see ``MapsPolyline``.
package enum S2Polyline {
    /// The reason why a string could not be decoded.
    package enum DecodingError: Error, Sendable, Equatable {
        /// The text is not base64.
        case notBase64
        /// The version byte is neither 1 nor 2.
        case unknownVersion(UInt8)
        /// The data ends early, or announces more points than ``S2Polyline/maximumPoints``.
        case truncated
        /// A snap level is above 30, a face is above 5, or a face run is empty.
        case invalid
        /// There are bytes after the end of the data.
        case trailingBytes(Int)
    }

    /// The maximum number of points, checked before memory is allocated.
    package static let maximumPoints = 1_000_000

    /// Reads the bytes of an encoded path, as the service for deliveries has it.
    ///
    /// - Parameter text: URL-safe or standard base64, with or without padding.
    /// - Returns: The bytes; `nil` for a text that is not base64.
    package static func bytes(of text: String) -> Data? {
        var base64 = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        while !base64.utf8.count.isMultiple(of: 4) { base64.append("=") }
        return Data(base64Encoded: base64)
    }

    /// Decodes a path.
    ///
    /// - Parameters:
    ///   - text: URL-safe or standard base64, with or without padding.
    ///   - admitted: The maximum number of decoded points; the rest is not parsed.
    /// - Returns: The points from the start of the path.
    /// - Throws: ``DecodingError`` for invalid data.
    package static func decode(
        _ text: String,
        admitting admitted: (_ announced: Int) -> Int = { $0 }
    ) throws(DecodingError) -> [Coordinate] {
        guard let data = bytes(of: text) else { throw .notBase64 }
        var reader = ByteReader(bytes: [UInt8](data))
        let version = try reader.byte()
        let path: (points: [Coordinate], isWhole: Bool)
        switch version {
        case 1: path = try decodeVectors(&reader, admitted)
        case 2: path = try decodeCells(&reader, admitted)
        default: throw .unknownVersion(version)
        }
        guard reader.remaining == 0 || !path.isWhole else { throw .trailingBytes(reader.remaining) }
        return path.points
    }

    private static func decodeVectors(
        _ reader: inout ByteReader,
        _ admitted: (Int) -> Int
    ) throws(DecodingError) -> (points: [Coordinate], isWhole: Bool) {
        let announced = try reader.littleEndian(bytes: 4)
        guard announced <= maximumPoints, reader.remaining >= Int(announced) * 24 else { throw .truncated }
        let count = min(Int(announced), max(0, admitted(Int(announced))))
        var points: [Coordinate] = []
        for _ in 0..<count { points.append(try reader.vector()) }
        return (points, count == announced)
    }

    private static func decodeCells(
        _ reader: inout ByteReader,
        _ admitted: (Int) -> Int
    ) throws(DecodingError) -> (points: [Coordinate], isWhole: Bool) {
        let level = Int(try reader.byte())
        guard level <= 30 else { throw .invalid }
        let announced = try reader.varint()
        guard announced <= maximumPoints, announced <= reader.remaining * 8 else { throw .truncated }
        let count = min(Int(announced), max(0, admitted(Int(announced))))
        guard count > 0 else { return ([], announced == 0) }

        var faces: [Int] = []
        while faces.count < announced {
            let run = try reader.varint()
            guard run >= 6 else { throw .invalid }
            guard run / 6 <= Int(announced) - faces.count else { throw .truncated }
            faces.append(contentsOf: repeatElement(Int(run % 6), count: Int(run / 6)))
        }

        var points: [Coordinate] = []
        points.reserveCapacity(count)
        var cell = try Cell(interleaved: reader.littleEndian(bytes: 2 * ((level + 7) / 8)))
        var step = Cell(p: 0, q: 0)
        for index in 0..<count {
            if index > 0 {
                let change = Cell(interleaved: try reader.varint()).zigzagDecoded
                step = step &+ change
                cell = cell &+ step
            }
            points.append(cell.coordinate(face: faces[index], level: level))
        }

        guard count == announced else { return (points, false) }
        let offCentre = try reader.varint()
        guard offCentre <= count else { throw .truncated }
        for _ in 0..<offCentre {
            let index = try reader.varint()
            guard index < count else { throw .invalid }
            points[Int(index)] = try reader.vector()
        }
        return (points, true)
    }

    /// Encodes a path as Fleet Engine does: version 2, URL-safe base64 with padding.
    ///
    /// The points are snapped to the centers of cells of the given level, 0 to 30.
    package static func encode(_ points: [Coordinate], level: Int = 22) -> String {
        var writer = ByteWriter()
        writer.byte(2)
        writer.byte(UInt8(level))
        writer.varint(UInt64(points.count))
        let cells = points.map { Cell.snapped($0, level: level) }

        var runs: [(face: Int, count: Int)] = []
        for (face, _) in cells {
            if runs.last?.face == face { runs[runs.count - 1].count += 1 } else { runs.append((face, 1)) }
        }
        for run in runs { writer.varint(UInt64(run.count * 6 + run.face)) }

        var step = Cell(p: 0, q: 0)
        for (index, (_, cell)) in cells.enumerated() {
            if index == 0 {
                writer.littleEndian(cell.interleaved, bytes: 2 * ((level + 7) / 8))
            } else {
                let next = cell &- cells[index - 1].cell
                writer.varint((next &- step).zigzagEncoded.interleaved)
                step = next
            }
        }
        if !points.isEmpty { writer.varint(0) }
        return Data(writer.bytes).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    }
}

/// A cell of a face of the S2 cube by its two indices; also a difference of such indices with 32-bit overflow.
private struct Cell {
    var p: Int32
    var q: Int32
}

extension Cell {
    /// Extracts p from the even bits and q from the odd ones.
    init(interleaved bits: UInt64) {
        p = Int32(truncatingIfNeeded: Self.evenBits(bits))
        q = Int32(truncatingIfNeeded: Self.evenBits(bits >> 1))
    }

    var interleaved: UInt64 { Self.spread(UInt32(bitPattern: p)) | Self.spread(UInt32(bitPattern: q)) << 1 }
    var zigzagDecoded: Cell { Cell(p: Self.unzigzag(p), q: Self.unzigzag(q)) }
    var zigzagEncoded: Cell { Cell(p: (p << 1) ^ (p >> 31), q: (q << 1) ^ (q >> 31)) }

    static func &+ (left: Cell, right: Cell) -> Cell { Cell(p: left.p &+ right.p, q: left.q &+ right.q) }
    static func &- (left: Cell, right: Cell) -> Cell { Cell(p: left.p &- right.p, q: left.q &- right.q) }

    private static func unzigzag(_ value: Int32) -> Int32 {
        Int32(bitPattern: UInt32(bitPattern: value) >> 1) ^ -(value & 1)
    }

    private static func evenBits(_ bits: UInt64) -> UInt32 {
        var result: UInt32 = 0
        for bit in 0..<32 where bits >> (2 * bit) & 1 == 1 { result |= 1 << bit }
        return result
    }

    private static func spread(_ value: UInt32) -> UInt64 {
        var result: UInt64 = 0
        for bit in 0..<32 where value >> bit & 1 == 1 { result |= 1 << (2 * UInt64(bit)) }
        return result
    }

    /// Returns the center of the cell.
    func coordinate(face: Int, level: Int) -> Coordinate {
        let side = Double(UInt64(1) << level)
        let u = Self.quadratic((Double(p) + 0.5) / side)
        let v = Self.quadratic((Double(q) + 0.5) / side)
        switch face {
        case 0: return Coordinate(x: 1, y: u, z: v)
        case 1: return Coordinate(x: -u, y: 1, z: v)
        case 2: return Coordinate(x: -u, y: -v, z: 1)
        case 3: return Coordinate(x: -1, y: -v, z: -u)
        case 4: return Coordinate(x: v, y: -1, z: -u)
        default: return Coordinate(x: v, y: u, z: -1)
        }
    }

    /// Returns the cell and the face that contain a point.
    static func snapped(_ point: Coordinate, level: Int) -> (face: Int, cell: Cell) {
        let (latitude, longitude) = (point.latitude * .pi / 180, point.longitude * .pi / 180)
        let (x, y, z) = (cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
        let (face, u, v): (Int, Double, Double)
        switch (abs(x), abs(y), abs(z)) {
        case (let a, let b, let c) where a >= b && a >= c: (face, u, v) = x > 0 ? (0, y / x, z / x) : (3, z / x, y / x)
        case (_, let b, let c) where b >= c: (face, u, v) = y > 0 ? (1, -x / y, z / y) : (4, z / y, -x / y)
        default: (face, u, v) = z > 0 ? (2, -x / z, -y / z) : (5, -y / z, -x / z)
        }
        let side = Double(UInt64(1) << level)
        let index = { (value: Double) in Int32(min(side - 1, max(0, (unquadratic(value) * side).rounded(.down)))) }
        return (face, Cell(p: index(u), q: index(v)))
    }

    private static func quadratic(_ s: Double) -> Double {
        s >= 0.5 ? (4 * s * s - 1) / 3 : (1 - 4 * (1 - s) * (1 - s)) / 3
    }

    private static func unquadratic(_ u: Double) -> Double {
        u >= 0 ? 0.5 * (1 + 3 * u).squareRoot() : 1 - 0.5 * (1 - 3 * u).squareRoot()
    }
}

extension Coordinate {
    init(x: Double, y: Double, z: Double) {
        self.init(latitude: atan2(z, hypot(x, y)) * 180 / .pi, longitude: atan2(y, x) * 180 / .pi)
    }
}
