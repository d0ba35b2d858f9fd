/// The Maps "Encoded Polyline Algorithm Format", used in route files; Fleet Engine itself sends ``S2Polyline``.
package enum MapsPolyline {
    /// Decodes a path.
    ///
    /// - Parameter text: Characters `?` to `~`; five bits each, most significant part last.
    /// - Returns: The path; `nil` for an invalid character, a truncated number or a coordinate out of range.
    package static func decode(_ text: String) -> [Coordinate]? {
        var points: [Coordinate] = []
        var (latitude, longitude) = (0, 0)
        var bytes = text.utf8.makeIterator()
        func number(_ first: UInt8) -> Int? {
            var (value, shift, next) = (0, 0, Optional(first))
            while let byte = next {
                guard (63...126).contains(byte), shift < 35 else { return nil }
                value |= (Int(byte - 63) & 0x1f) << shift
                if byte - 63 < 0x20 { return value & 1 == 1 ? ~(value >> 1) : value >> 1 }
                shift += 5
                next = bytes.next()
            }
            return nil
        }
        while let byte = bytes.next() {
            guard let north = number(byte), let middle = bytes.next(), let east = number(middle) else { return nil }
            latitude += north
            longitude += east
            let point = Coordinate(latitude: Double(latitude) / 1e5, longitude: Double(longitude) / 1e5)
            guard point.isValid else { return nil }
            points.append(point)
        }
        return points
    }

    /// Encodes a path with five decimals.
    package static func encode(_ points: [Coordinate]) -> String {
        var bytes: [UInt8] = []
        func append(_ difference: Int) {
            var rest = difference < 0 ? ~(difference << 1) : difference << 1
            while rest >= 0x20 {
                bytes.append(UInt8(rest & 0x1f | 0x20) + 63)
                rest >>= 5
            }
            bytes.append(UInt8(rest) + 63)
        }
        var (latitude, longitude) = (0, 0)
        for point in points {
            let (north, east) = (Int((point.latitude * 1e5).rounded()), Int((point.longitude * 1e5).rounded()))
            append(north - latitude)
            append(east - longitude)
            (latitude, longitude) = (north, east)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
