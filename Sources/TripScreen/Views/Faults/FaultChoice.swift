package import TripText

/// A fault that the screen offers in its menu.
package struct FaultChoice: Sendable, Equatable {
    /// The name on the command line of the screen.
    package var id: String
    /// What it does.
    package var title: Text
    /// What the rider's app does about it, in a sentence for people who do not know what a token is; `nil` for none.
    package var about: Text?
}

/// A change of the injected faults.
package enum FaultChange: Sendable, Equatable {
    /// Switch a fault on, or off if it is active.
    case toggle(String)
    /// Switch all faults off.
    case clear
}
