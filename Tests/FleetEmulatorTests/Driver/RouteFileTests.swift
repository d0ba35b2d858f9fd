import FleetEmulator
import Foundation
import Testing
import TripModel
import TripTestSupport

@Suite("Route files: GPX", .ends(within: .quickTest))
struct RouteFileTests {
    private func points(_ inner: String, before: String = "") throws(RouteFile.Problem) -> [Coordinate] {
        try RouteFile.points("<?xml version=\"1.0\"?>\(before)\n<gpx version=\"1.1\">\n\(inner)\n</gpx>")
    }

    private let two = [Coordinate(latitude: 51.5, longitude: 3.25), Coordinate(latitude: -48, longitude: 0)]

    @Test func `reads the segments of a track one after the other`() throws {
        let track =
            "<trk><trkseg><trkpt lat='51.5' lon='3.25'><ele>3</ele></trkpt></trkseg><trkseg><trkpt lon='0' lat='-48'/></trkseg></trk>"
        #expect(try points(track) == two)
    }

    @Test func `uses a route if there is no track, with any namespace prefix and text encoding`() throws {
        let route =
            "<g:rte xmlns:g='x'><g:name>Käse &amp; <![CDATA[<b>]]></g:name><g:rtept lat='51.5' lon='3.25'/><g:rtept lat='-48' lon='0'/></g:rte>"
        #expect(try points(route) == two)
        let both = route + "<trk><trkseg><trkpt lat='1' lon='1'/><trkpt lat='2' lon='2'/></trkseg></trk>"
        #expect(try points(both).first == Coordinate(latitude: 1, longitude: 1))
    }

    @Test func `reports the line of an error`() {
        #expect(throws: RouteFile.Problem.broken("the point in line 4 has no lat and lon")) {
            try points("<trk><trkseg><trkpt lat='1' lon='1'/>\n<trkpt lat='x' lon='2'/></trkseg></trk>")
        }
        #expect(throws: RouteFile.Problem.broken("line 3 is not XML")) { try points("<trk></gpx>") }
        #expect(throws: RouteFile.Problem.unknownFormat) { try RouteFile.points("<kml/>") }
        #expect(throws: RouteFile.Problem.tooShort) { try points("<trk/>") }
    }

    @Test(arguments: [
        "<!DOCTYPE gpx [<!ENTITY a 'x'>]>", "<!DOCTYPE gpx [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>",
        "<!DOCTYPE gpx [<!ENTITY % a SYSTEM 'http://127.0.0.1:1/x.dtd'> %a;]>",
        "<!DOCTYPE gpx [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'><!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;'>]>",
    ])
    func `refuses a file with entities`(doctype: String) {
        let track = "<trk><name>&a;</name><trkseg><trkpt lat='1' lon='1'/><trkpt lat='2' lon='2'/></trkseg></trk>"
        #expect(throws: RouteFile.Problem.broken("it declares XML entities, which are not supported")) {
            try points(track, before: doctype)
        }
    }

    @Test func `does not fetch an external document type`() throws {
        let doctype = "<!DOCTYPE gpx SYSTEM 'http://127.0.0.1:1/gpx.dtd'>"
        let track = "<trk><trkseg><trkpt lat='51.5' lon='3.25'/><trkpt lat='-48' lon='0'/></trkseg></trk>"
        #expect(try points(track, before: doctype) == two)
    }

    @Test func `limits depth and numbers`() {
        let deep = String(repeating: "<a>", count: 300_000)
        #expect(throws: RouteFile.Problem.self) { try points(deep) }
        let many = String(repeating: "<trkpt lat='1' lon='1'/>", count: 100_001)
        #expect(throws: RouteFile.Problem.tooLong(limit: 100_000)) { try points(many) }
        let attributes = (0..<50_000).map { "a\($0)='1'" }.joined(separator: " ")
        #expect(throws: RouteFile.Problem.tooShort) { try points("<trkpt \(attributes) lat='1' lon='1'/>") }
    }
}
