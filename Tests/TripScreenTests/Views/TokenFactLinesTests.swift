import Canvas
import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripTestSupport
import TripText

@testable import TripScreen

@Suite("Facts of a token", .ends(within: .quickTest))
struct TokenFactLinesTests {
    private func lines(_ state: State, width: Int, height: Int) throws -> [String] {
        let trip = try #require(state.trip)
        let token = try #require(trip.token)
        return TokenFactLines(token, TripView(state: state, trip: trip)).lines(width: width, height: height)
            .map { $0.map(\.text).joined() }
    }

    @Test(arguments: Language.allCases)
    func `are wrapped, or the least important ones are omitted, and no word is cut`(_ language: Language) throws {
        let state = try Ride().screen(at: 65, localizer: Localizer(language))
        let whole = try lines(state, width: 1000, height: 9)
        #expect(whole.count == 2)
        // The last fact of a line has no comma.
        let words = { (lines: [String]) in Set(lines.joined(separator: " ").split { " ,".contains($0) }) }
        let end = try #require(state.trip?.token?.expiresAt)
        for width in 30...100 {
            for height in 1...5 {
                let shown = try lines(state, width: width, height: height)
                #expect(shown.count <= height && shown.allSatisfy { TextWidth.of($0) <= width }, "\(shown)")
                #expect(shown.joined().contains(state.settings.zone.clock(end)), "\(shown)")
                // Chinese is also broken between words without a blank.
                guard language == .english || language == .german else { continue }
                #expect(words(whole).isSuperset(of: words(shown)), "\(shown)")
            }
        }
    }

    @Test(arguments: Language.allCases)
    func `in a narrow view stand below a sentence that is not cut, even if the source fails`(
        _ language: Language
    ) throws {
        for width in [45, 80] {
            var ride = Ride()
            var states = [try ride.screen(at: 65, width: width, height: 30, localizer: Localizer(language))]
            ride.tokenError = .missingData(.sourceHTML(status: 200), retryAfter: .seconds(30))
            states.append(try ride.screen(at: 65, width: width, height: 30, localizer: Localizer(language)))
            for var state in states {
                _ = state.update(.key(.character("3")))
                let trip = try #require(state.trip)
                let view = TripView(state: state, trip: trip)
                var canvas = Canvas(width: width, height: 12, glyphs: GlyphSet(), recordsTexts: true)
                TokenView(trip: view).draw(on: &canvas, in: canvas.bounds)
                let token = try #require(trip.token)
                let life = TokenLife(token, now: view.serviceNow(token))
                let story = view.story(of: token, life, isOver: false, width: width - 4).text
                let words = { (text: String) in text.filter { !$0.isWhitespace && $0 != "│" } }
                #expect(words(canvas.text).contains(words(story)), "\(canvas.text)")
            }
        }
    }

    @Test func `have two lines in a narrow view, the first with the refresh and the end`() throws {
        let state = try Ride().screen(at: 65)
        let shown = try lines(state, width: 41, height: 2)
        #expect(shown.count == 2 && shown[0].hasPrefix("refresh ") && shown[0].contains("expires "), "\(shown)")
        #expect(shown[1].contains("fetch"), "\(shown)")
    }
}
