import Terminal
import TripScreen

extension TripScreen.Key {
    /// Converts a terminal key; `nil` for keys that the screen does not use.
    init?(_ key: Terminal.Key) {
        switch key.code {
        case .character(let character):
            if key.modifiers.contains(.alt) { return nil }
            self = key.modifiers.contains(.control) ? .control(character) : .character(character)
        case .enter: self = .enter
        case .tab: self = key.modifiers.contains(.shift) ? .backTab : .tab
        case .escape: self = .escape
        case .backspace: self = .backspace
        case .delete: self = .delete
        case .up: self = .up
        case .down: self = .down
        case .left: self = .left
        case .right: self = .right
        case .home: self = .home
        case .end: self = .end
        case .pageUp: self = .pageUp
        case .pageDown: self = .pageDown
        case .function(let number) where (1...12).contains(number): self = .function(number)
        case .insert, .function: return nil
        }
    }
}

extension Pointer {
    /// Converts a mouse event; `nil` for events that the screen does not use.
    init?(_ mouse: Mouse) {
        switch mouse.action {
        case .press(.left): self.init(.press, x: mouse.x, y: mouse.y)
        case .drag(.left): self.init(.drag, x: mouse.x, y: mouse.y)
        case .release: self.init(.release, x: mouse.x, y: mouse.y)
        case .wheelUp: self.init(.wheelUp, x: mouse.x, y: mouse.y)
        case .wheelDown: self.init(.wheelDown, x: mouse.x, y: mouse.y)
        case .press, .drag, .wheelLeft, .wheelRight: return nil
        }
    }
}

extension TerminalEvent {
    /// Whether the event comes from the input of the terminal.
    var isInput: Bool {
        switch self {
        case .key, .mouse, .paste, .focus: true
        case .resized, .interrupted, .resumed, .hangup: false
        }
    }
}
