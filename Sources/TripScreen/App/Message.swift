package import FleetTokens
package import Recording
package import Runtime
package import TripFeed
package import TripModel

/// An input of the screen.
///
/// The event loop sends a ``tick(_:)`` before each other message, so that it is processed at the right time.
package enum Message: Sendable {
    /// An event of a followed trip.
    case feed(FeedEvent)
    /// An event of a token.
    case token(TokenEvent)
    /// A page of a search for the trips of the project, or a failed one.
    case search(SearchEvent)
    /// The inspection of a trip's token.
    case inspected(JourneyID, TokenVerdict)
    /// An entry of a log about a trip.
    case logged(LiveLog.Step)
    /// A key press.
    case key(Key)
    /// A mouse event.
    case pointer(Pointer)
    /// Pasted text, which is untrusted.
    case paste(String)
    /// The new size of the terminal in cells.
    case resized(width: Int, height: Int)
    /// The current time.
    case tick(Moment)
    /// The new clock speed in virtual seconds per real second; 0 while the clock is paused.
    case speed(Double)
    /// A base map that was read, to be shown from now on.
    case basemap(Basemap)
    /// Loaded tiles of an archive; empty ones for tiles that it does not contain.
    case tiles([TileID: MapTile], of: any TileArchive)
    /// A caption of a scenario, and the conditions under which it is shown, if they are known; untrusted texts.
    case caption(String, while: String = "")
    /// A page to show instead of the views until a key is pressed; `nil` for none.
    case page(TitlePage?)
    /// A command, as if its key were pressed.
    case command(KeyBinding.Command)
    /// An error message about a command; untrusted text.
    case complaint(String)
    /// The file to which the screen was saved; untrusted text.
    case saved(String)
    /// The results of all expectations; the results with these numbers have changed.
    case expectations([ExpectationResult], changed: [Int])
    /// The names of the active faults.
    case faults([String])
    /// The active trips of the project, for the completions of `:watch`.
    case found([JourneyID])
    /// A note, a mark, a caption or a switched fault of the recording that is played.
    case remark(SessionRemark)
    /// Another entry for the event log; untrusted text.
    case notice(String)
    /// What is said about notices that are not delivered yet; empty for nothing; untrusted text.
    case delivery(String)
    /// The time line of a replay; `nil` for none.
    case timeLine(TimeLine?)
}

extension Message {
    /// Creates the message about an event of a session.
    package init(_ event: FeedMailbox.Item) {
        switch event {
        case .feed(let event): self = .feed(event)
        case .token(let event): self = .token(event)
        case .search(let event): self = .search(event)
        }
    }
}

/// A side effect that the screen requests.
package enum Effect: Sendable, Equatable {
    /// Restore the terminal and exit.
    case quit
    /// Send a command to a trip's poller.
    case feed(FeedCommand, JourneyID)
    /// Read a base map from a file.
    case readBasemap(String)
    /// Load tiles of the base map, in this order; an earlier request is no longer needed.
    case loadTiles([TileID])
    /// Search the folder of base maps for a map that contains a point.
    case findBasemap(MapPoint)
    /// Save the screen as text to a file.
    case save(String)
    /// Save the last minutes of the session as a recording.
    case saveRecording
    /// Save a bug report.
    case saveBugReport
    /// Store a note or a mark.
    case remark(SessionRemark)
    /// Export the last minutes of the session in a format, by its name; without a file, to a new one in the current folder.
    case export(String, to: String?)
    /// Write a page of the session so far; without a file, to a new one in the current folder.
    case share(String?)
    /// Add a trip.
    case watch(JourneyID)
    /// Remove a trip.
    case remove(JourneyID)
    /// Search for the active trips of the project.
    case findTrips
    /// Fetch a new token for a trip.
    case refreshToken(JourneyID)
    /// Switch to one of ``State/Settings/themes``.
    case theme(String)
    /// Copy a text to the terminal's clipboard.
    case copy(String)
    /// Enable or disable mouse reports.
    case mouse(Bool)
    /// Change the clock of the emulated ride.
    case ride(RideChange)
    /// Restart the emulated ride, or start another scenario.
    case play(String?)
    /// Record the tester's answer to an expectation, by its number.
    case answer(Int, ExpectationResult.Answer, note: String)
    /// Change the injected faults.
    case fault(FaultChange)
    /// Control the replay.
    case replay(ReplayAction)
    /// Show the past of the session, the present, or both in turn.
    case travel(TimeTravelCommand)
    /// Ring the bell and send a sanitized notification outside of the screen.
    case ring(String)
}
