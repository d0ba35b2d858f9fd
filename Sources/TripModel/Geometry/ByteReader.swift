import Foundation

struct ByteReader {
    let bytes: [UInt8]
    var index = 0

    var remaining: Int { bytes.count - index }

    mutating func byte() throws(S2Polyline.DecodingError) -> UInt8 {
        guard index < bytes.count else { throw .truncated }
        defer { index += 1 }
        return bytes[index]
    }

    mutating func littleEndian(bytes count: Int) throws(S2Polyline.DecodingError) -> UInt64 {
        var value: UInt64 = 0
        for place in 0..<count { value |= UInt64(try byte()) << (8 * UInt64(place)) }
        return value
    }

    mutating func varint() throws(S2Polyline.DecodingError) -> UInt64 {
        var value: UInt64 = 0
        for place in 0..<10 {
            let next = try byte()
            value |= UInt64(next & 0x7f) << (7 * UInt64(place))
            if next < 0x80 { return value }
        }
        throw .invalid
    }

    mutating func vector() throws(S2Polyline.DecodingError) -> Coordinate {
        let (x, y, z) = (try double(), try double(), try double())
        guard x.isFinite, y.isFinite, z.isFinite else { throw .invalid }
        return Coordinate(x: x, y: y, z: z)
    }

    private mutating func double() throws(S2Polyline.DecodingError) -> Double {
        Double(bitPattern: try littleEndian(bytes: 8))
    }
}

struct ByteWriter {
    var bytes: [UInt8] = []

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    mutating func littleEndian(_ value: UInt64, bytes count: Int) {
        for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(place)))) }
    }

    mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
