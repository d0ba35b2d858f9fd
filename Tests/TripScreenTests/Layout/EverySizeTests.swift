import Canvas
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport

@Suite("Screen sizes and unusual text", .ends(within: .quickTest))
struct EverySizeTests {
    @Test(arguments: [PictureTests.Scene.connecting, .enrouteToDropoff, .complete, .forbidden, .help, .silent])
    func `draws at every size`(_ scene: PictureTests.Scene) throws {
        var state = try scene.screen(80, 24, .braille)
        for width in 0...130 {
            // Each width and each height occurs, and all small sizes.
            for height in 0...50 where (width + 3 * height) % 11 == 0 || width < 6 || height < 4 {
                #expect(state.update(.resized(width: width, height: height)).isEmpty)
                let canvas = view(state)
                #expect(canvas.width == width && canvas.height == height)
            }
        }
        for (width, height) in [(400, 120), (1000, 3), (3, 1000), (400, 1), (1, 120)] {
            _ = state.update(.resized(width: width, height: height))
            #expect(view(state).width == width)
        }
    }

    @Test func `shows every panel at every size from 60x16`() throws {
        var state = try Ride().screen(at: 30)
        for width in stride(from: 60, through: 240, by: 7) {
            for height in stride(from: 16, through: 70, by: 3) {
                #expect(state.update(.resized(width: width, height: height)).isEmpty)
                let text = view(state).text
                for title in ["Map", "Arrival", "Token", "Polling", "Events"] {
                    #expect(text.contains(" \(title) "), "\(title) at \(width)x\(height)")
                }
            }
        }
    }

    @Test(arguments: [
        "\u{1B}[31mred\u{1B}]0;title\u{7}", "名前がとても長い旅行の識別子です名前がとても長い", "🚕🚕🚕🚕", "a\u{202E}txt.exe",
        "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}", "\n\n\r\t\u{0}", "\u{9B}2J", String(repeating: "W", count: 64),
    ])
    func `unusual names do not break the frame and reach the terminal sanitized`(_ name: String) throws {
        var ride = Ride()
        ride.name = name
        ride.failsFrom = 60
        ride.failure = .webPage(httpStatus: 502, title: name)
        for (width, height) in [(80, 24), (120, 40), (40, 10)] {
            let canvas = try view(ride.screen(at: 70, width: width, height: height))
            for scalar in canvas.text.unicodeScalars where scalar != "\n" {
                #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && scalar.value != 0x202E)
            }
            for run in canvas.runs() {
                #expect(run.x + TextWidth.of(run.text) <= width)
            }
        }
    }

    @Test func `draws unusual coordinates`() throws {
        var state = TripState(id: try .trip(TripID("a")))
        var trip = Trip(id: try TripID("a"), provider: try ProviderID("p"), status: .enrouteToPickup)
        trip.pickup = Coordinate(latitude: 90, longitude: 180)
        trip.dropoff = Coordinate(latitude: -90, longitude: -180)
        trip.route = Route([
            Coordinate(latitude: .nan, longitude: 0), Coordinate(latitude: 10, longitude: 179.9),
            Coordinate(latitude: 10, longitude: -179.9), Coordinate(latitude: 400, longitude: 1),
        ])
        trip.traffic = Traffic(intervals: [
            .init(start: -4, end: 99, speed: .jam), .init(start: 3, end: 1, speed: .slow),
            .init(start: .max, end: .min, speed: .slow),
        ])
        var location = VehicleLocation(coordinate: Coordinate(latitude: 10, longitude: 179.95))
        location.heading = .max
        location.speed = .infinity
        location.accuracy = .greatestFiniteMagnitude
        trip.lastLocation = location
        trip.remainingDistance = Distance(meters: .infinity)
        state.merge(.trip(trip), serverDate: nil, at: Ride.moment(0))
        var screen = try Ride().screen(at: 0)
        var report = PollReport(journey: try Ride().id(), started: Ride.moment(1))
        report.outcome = .success(.trip(trip))
        _ = screen.update(.feed(.polled(report, state, PollSchedule(interval: .seconds(5), next: nil))))
        #expect(view(screen).text.contains("Map"))
    }
}
