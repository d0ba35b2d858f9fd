import Testing
import TripScreen
import TripTestSupport

@Suite("Presenter's notes", .ends(within: .quickTest))
struct PresenterNotesTests {
    private let notes = PresenterNotes(
        """

        Greet the audience.

        # traffic-jam
        Wait until the delay is shown.
        # A token's life

        Press j.
        # traffic-jam
        Then go faster.
        """
    )

    @Test func `shows what is in front of the first section with every scenario`() {
        #expect(notes.lines(for: ["tunnel"]) == ["Greet the audience."])
    }

    @Test func `adds all sections with the name of the scenario or the chapter`() {
        #expect(
            notes.lines(for: ["Traffic-Jam"]) == [
                "Greet the audience.", "", "Wait until the delay is shown.", "", "Then go faster.",
            ]
        )
        #expect(notes.lines(for: ["token-trouble", "a  token's life"]) == ["Greet the audience.", "", "Press j."])
    }

    @Test func `a text without sections is shown with every scenario`() {
        #expect(PresenterNotes("one\r\n#two\n\n").lines(for: ["x"]) == ["one", "#two"])
        #expect(PresenterNotes("").lines(for: ["x"]) == [])
    }
}
