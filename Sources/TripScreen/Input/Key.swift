/// A key as the screen understands it, whatever terminal it came from.
package enum Key: Sendable, Hashable {
    /// A character that was typed.
    case character(Character)
    /// A character typed with the control key, in lower case.
    case control(Character)
    case enter, escape, tab, backTab, backspace, delete
    case up, down, left, right
    case home, end, pageUp, pageDown
}
