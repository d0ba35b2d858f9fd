package import FleetTokens
package import TripFeed
package import TripModel

/// News for the screen.
///
/// Whoever runs the loop sends a ``tick(_:)`` with the time before any other message, so that what follows is shown at
/// its own time.
package enum Message: Sendable {
    /// A followed trip has something to tell.
    case feed(FeedEvent)
    /// Something happened to a token.
    case token(TokenEvent)
    /// The token of a trip was looked at.
    case inspected(TripID, TokenVerdict)
    /// A key was pressed.
    case key(Key)
    /// The mouse did something.
    case pointer(Pointer)
    /// Text was pasted; it comes from outside and may hold anything.
    case paste(String)
    /// The terminal has a new size, in cells.
    case resized(width: Int, height: Int)
    /// Time has passed.
    case tick(Moment)
    /// So many seconds pass in a real one from now on; 0 while the clock stands.
    case speed(Double)
    /// A base map was read; the map shows it from now on.
    case basemap(Basemap)
    /// A scenario says what is to be seen from now on; outside text.
    case caption(String)
    /// What was ordered can't be done; outside text.
    case complaint(String)
    /// The screen was saved in a file; outside text.
    case saved(String)
    /// Something else that belongs into the event log; outside text.
    case notice(String)
}

/// An order of the screen to the world.
package enum Effect: Sendable, Equatable {
    /// Restore the terminal and end.
    case quit
    /// Give an order to the poller of a trip.
    case feed(FeedCommand, TripID)
    /// Read a base map from a file.
    case readBasemap(String)
    /// Save the screen as text in a file.
    case save(String)
    /// Follow one more trip.
    case watch(TripID)
    /// Follow a trip no more.
    case leave(TripID)
    /// Fetch a new token for a trip.
    case refreshToken(TripID)
    /// Look different: one of ``State/Settings/themes``.
    case theme(String)
    /// Put a text into the clipboard of the terminal.
    case copy(String)
    /// Take the mouse, or leave it to the terminal.
    case mouse(Bool)
    /// Change the clock of the emulated ride.
    case ride(RideChange)
    /// Play the emulated ride again from its beginning, or another scenario.
    case play(String?)
    /// Ring the terminal's bell and show a text outside of the screen; sanitized.
    case ring(String)
}
