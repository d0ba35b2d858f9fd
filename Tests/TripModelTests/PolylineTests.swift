import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Polylines", .ends(within: .quickTest))
struct PolylineTests {
    @Test func `decodes a reference value`() throws {
        let points = try S2Polyline.decode("AhYCECPlXZ6GAJABAA==")
        #expect(points.count == 2)
        #expect(abs(points[0].latitude - 37.344800) < 1e-6)
        #expect(abs(points[0].longitude - -122.067998) < 1e-6)
        #expect(abs(points[1].latitude - 37.344790) < 1e-6)
        #expect(abs(points[1].longitude - -122.067909) < 1e-6)
    }

    @Test func `encodes a decoded path to the same text`() throws {
        let text = "AhYCECPlXZ6GAJABAA=="
        #expect(S2Polyline.encode(try S2Polyline.decode(text)) == text)
    }

    @Test func `retains random paths all over the world within 2.5 m`() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            var point = Coordinate(
                latitude: .random(in: -89...89, using: &random),
                longitude: .random(in: -180...180, using: &random)
            )
            let path = (0..<20).map { _ in
                point = Coordinate(
                    latitude: min(90, max(-90, point.latitude + .random(in: -0.05...0.05, using: &random))),
                    longitude: (point.longitude + .random(in: -0.05...0.05, using: &random)).wrappedLongitude
                )
                return point
            }
            let decoded = try S2Polyline.decode(S2Polyline.encode(path))
            #expect(decoded.count == path.count)
            #expect(zip(path, decoded).allSatisfy { $0.distance(to: $1).meters < 2.5 })
        }
    }

    @Test func `encodes an empty path and a single point`() throws {
        #expect(try S2Polyline.decode(S2Polyline.encode([])).isEmpty)
        let one = [Coordinate(latitude: 0, longitude: 0)]
        #expect(try S2Polyline.decode(S2Polyline.encode(one)).count == 1)
    }

    @Test(arguments: [
        ("!", S2Polyline.DecodingError.notBase64),
        ("", .truncated),
        ("AxYC", .unknownVersion(3)),
        ("AhYC", .truncated),
        ("Ah8CEA==", .invalid),
        ("AhYCECPlXZ6GAJABAAA=", .trailingBytes(1)),
    ])
    func `reports what is wrong with a string`(text: String, error: S2Polyline.DecodingError) {
        #expect(throws: error) { try S2Polyline.decode(text) }
    }

    @Test func `survives random bytes`() {
        var random = SeededGenerator(seed: 1)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        for _ in 0..<5000 {
            let length = Int.random(in: 0...60, using: &random)
            let text = "Ah" + String((0..<length).map { _ in alphabet[Int.random(in: 0..<64, using: &random)] })
            // The result does not matter, only that there is one.
            _ = try? S2Polyline.decode(text)
        }
    }

    @Test func `decodes the example of Google's encoded polyline format`() {
        let points = MapsPolyline.decode("_p~iF~ps|U_ulLnnqC_mqNvxq`@")
        #expect(
            points == [
                Coordinate(latitude: 38.5, longitude: -120.2),
                Coordinate(latitude: 40.7, longitude: -120.95),
                Coordinate(latitude: 43.252, longitude: -126.453),
            ]
        )
        #expect(points.map(MapsPolyline.encode) == "_p~iF~ps|U_ulLnnqC_mqNvxq`@")
    }

    @Test(arguments: ["_p~iF", "_p~iF~ps|U_", "\u{1}", "~~~~~~~~~~~~~~"])
    func `refuses text that is not an encoded polyline`(text: String) {
        #expect(MapsPolyline.decode(text) == nil)
    }
}
