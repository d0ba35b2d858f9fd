import Foundation

/// A point on the earth in degrees (WGS 84).
package struct Coordinate: Sendable, Hashable {
    /// Degrees north, −90 to 90.
    package var latitude: Double
    /// Degrees east, −180 to 180.
    package var longitude: Double

    /// The mean radius of the earth in meters (IUGG).
    package static let earthRadius = 6_371_008.8

    /// Whether both numbers are finite and in range.
    package var isValid: Bool {
        (-90.0...90.0).contains(latitude) && (-180.0...180.0).contains(longitude)
    }

    /// Returns the great-circle distance to another point (haversine).
    package func distance(to other: Coordinate) -> Distance {
        let north = (other.latitude - latitude).radians / 2
        let east = (other.longitude - longitude).radians / 2
        let chord =
            sin(north) * sin(north) + cos(latitude.radians) * cos(other.latitude.radians) * sin(east) * sin(east)
        return Distance(meters: 2 * Self.earthRadius * asin(min(1, chord.squareRoot())))
    }

    /// Returns the initial bearing to another point in degrees clockwise from north, 0 ..< 360.
    package func bearing(to other: Coordinate) -> Double {
        let east = (other.longitude - longitude).radians
        let y = sin(east) * cos(other.latitude.radians)
        let x =
            cos(latitude.radians) * sin(other.latitude.radians)
            - sin(latitude.radians) * cos(other.latitude.radians) * cos(east)
        let degrees = atan2(y, x) * 180 / .pi
        return degrees < 0 ? degrees + 360 : degrees
    }

    /// The length of a degree of longitude relative to a degree of latitude: 1 at the equator, 0 at the poles.
    package var parallelScale: Double { cos(latitude.radians) }

    /// Returns a point on the shortest straight line to another one, across the antimeridian if necessary.
    ///
    /// The fraction is 0 for this point and 1 for the other.
    package func interpolated(to other: Coordinate, fraction: Double) -> Coordinate {
        let east = (other.longitude - longitude).wrappedLongitude
        return Coordinate(
            latitude: latitude + (other.latitude - latitude) * fraction,
            longitude: (longitude + east * fraction).wrappedLongitude
        )
    }
}

extension Double {
    /// Converts degrees to radians.
    var radians: Double { self * .pi / 180 }

    /// The longitude wrapped to −180 … 180 degrees.
    package var wrappedLongitude: Double {
        guard self < -180 || self > 180 else { return self }
        return self - 360 * ((self + 180) / 360).rounded(.down)
    }
}

/// A distance along the road or over the ground.
package struct Distance: Sendable, Hashable, Comparable {
    /// The length in meters, the unit of Fleet Engine.
    package var meters: Double

    package static func < (left: Distance, right: Distance) -> Bool { left.meters < right.meters }
}
