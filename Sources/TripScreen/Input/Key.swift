/// A key, independent of the terminal.
package enum Key: Sendable, Hashable {
    /// A printable character.
    case character(Character)
    /// A character with the Control key, in lower case.
    case control(Character)
    case enter, escape, tab, backTab, backspace, delete
    case up, down, left, right
    case home, end, pageUp, pageDown
    /// F1 to F12.
    case function(Int)
}
