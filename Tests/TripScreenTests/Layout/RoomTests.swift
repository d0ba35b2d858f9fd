import Canvas
import Foundation
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

@Suite("Room for important text", .ends(within: .quickTest))
struct RoomTests {
    private func press(_ keys: String, _ state: inout State) {
        for key in keys { #expect(state.update(.key(.character(key))).isEmpty) }
    }

    @Test(arguments: [(80, 24), (120, 40), (200, 60)])
    func `the table does not truncate the status of a trip where there is room`(_ size: (Int, Int)) throws {
        var state = try Fleet.screen(width: size.0, height: size.1)
        press("2", &state)
        let text = view(state).text
        let words =
            size.0 < 130 ? ["To drop-off ", "At pickup "] : ["On the way to the drop-off", "Driver is at the pickup"]
        for word in words + Fleet.names { #expect(text.contains(word), "\(word)") }
    }

    @Test func `the badge above the table counts the live trips`() throws {
        var state = try Fleet.screen(width: 120, height: 40)
        press("2", &state)
        let header = try #require(view(state).text.split(separator: "\n").first)
        #expect(header.contains("2 of 4 live"))
        press("1", &state)
        #expect(!view(state).text.contains("of 4 live"))
    }

    @Test(arguments: Language.allCases)
    func `the reason for the next poll is not truncated`(_ language: Language) throws {
        let localizer = Localizer(language)
        var state = try PictureTests.Scene.retrying.screen(80, 24, .braille, localizer: localizer)
        let schedule = try #require(state.trip?.schedule)
        for reason in [PollSchedule.Reason.backOff, .waitingForVehicle, .retryAfter, .confirmingEnd] {
            var schedule = schedule
            schedule.reason = reason
            #expect(try state.update(.feed(.scheduled(Ride().id(), schedule))).isEmpty)
            for key in "14" {
                press("\(key)", &state)
                let panel = view(state).text.split(separator: "\n").filter { $0.contains("0:0") }
                    .compactMap { $0.components(separatedBy: "││").last }
                #expect(panel.allSatisfy { !$0.contains("…") }, "\(panel)")
            }
        }
    }

    @Test(arguments: Language.allCases)
    func `a promised time always has its difference`(_ language: Language) throws {
        let state = try PictureTests.Scene.enrouteToDropoff.screen(80, 24, .braille, localizer: Localizer(language))
        #expect(view(state).text.contains("(+0:20)"))
    }

    @Test func `an overlay on a small screen covers whole rows and shows that it scrolls`() throws {
        var state = try Ride().screen(at: 30)
        press("?", &state)
        let rows = view(state).text.split(separator: "\n")
        #expect(rows.dropFirst(2).dropLast(2).allSatisfy { "│╭╰".contains($0.first ?? " ") })
        #expect(rows.last?.contains("Up Dn scroll") == true)
    }

    @Test func `the keys for poll and token explain why nothing is sent after the end`() throws {
        var state = try PictureTests.Scene.forbidden.screen(80, 24, .braille)
        for key in "rt" {
            press("\(key)", &state)
            #expect(state.message?.hasPrefix("Polling ended: ") == true)
        }
    }

    @Test func `a verdict has the time at which the token was checked, and a failure has its number of polls`() throws {
        #expect(try view(ViewPictureTests.Scene.token.screen(80, 24)).text.contains(" at 17:01:47"))
        #expect(try view(ViewPictureTests.Scene.networkErrors.screen(120, 40)).text.contains("6 polls"))
    }
}
