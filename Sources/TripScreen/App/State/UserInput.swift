/// What the user has typed, and what answers it.
package struct UserInput: Sendable {
    /// The entered commands, newest last.
    package internal(set) var history: [String] = []
    /// A sanitized message that is shown until the next key press.
    package internal(set) var message: String?
    /// The last file that was saved; untrusted text.
    var savedFile: String?
    /// The lock of the keys and the mouse; `nil` if they are not locked.
    package internal(set) var lock: KeyLock?
    /// Whether the user has pressed a key.
    var hasTyped = false
    /// The last requested pause state, until the polls confirm it; pressing the key again reverts it.
    var orderedPause: Bool?
}

extension State {
    /// A sanitized message that is shown until the next key press.
    package internal(set) var message: String? {
        get { input.message }
        set { input.message = newValue }
    }
}
