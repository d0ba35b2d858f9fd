import Runtime
import TripText

/// Locks the keys and the mouse, so that a cat, a stray key in tmux or a curious visitor changes nothing.
///
/// The screen goes on. Ctrl-C, which is a signal, and other signals end the program as always.
package struct KeyLock: Sendable, Equatable {
    /// The word that unlocks, of letters that every keyboard can type.
    static let word = "unlock"

    /// The last keys, as far as they may begin the word.
    private(set) var typed = ""
    /// Until when the notice is shown to an audience, in the time of the screen.
    var noticeEnd: Duration

    /// Takes a key; returns whether it completes the word.
    mutating func isOpened(by key: Key) -> Bool {
        guard case .character(let character) = key else {
            typed = ""
            return false
        }
        typed.append(contentsOf: character.lowercased())
        // Keys before the word do not matter: it is the end of what was typed.
        while !Self.word.hasPrefix(typed) { typed.removeFirst() }
        return typed == Self.word
    }
}

extension State {
    /// The real time in seconds for which the notice of the lock is shown to an audience.
    private static let noticeTime = 5.0

    /// Locks the keys and the mouse.
    mutating func lock() -> [Effect] {
        input.lock = KeyLock(noticeEnd: time.latest.steady)
        showLockNotice()
        return []
    }

    /// Processes a key while the keys are locked.
    mutating func handleLocked(_ key: Key) -> [Effect] {
        // A terminal that reports Ctrl-C as a key instead of a signal.
        if key == .control("c") { return [.quit] }
        message = nil
        if input.lock?.isOpened(by: key) == true {
            input.lock = nil
            message = settings.localizer(.keysUnlocked)
        } else {
            showLockNotice()
        }
        return []
    }

    /// Ignores a mouse event or a paste while the keys are locked.
    mutating func ignoreLocked() -> [Effect] {
        showLockNotice()
        return []
    }

    /// Shows the notice of the lock again.
    private mutating func showLockNotice() {
        input.lock?.noticeEnd = time.latest.steady + .seconds(Self.noticeTime * max(1, settings.speed))
    }

    /// That the keys are locked, and how to unlock them; `nil` if they are not.
    ///
    /// It replaces the key line. Before an audience it is shown for a moment only, after a key.
    var lockNotice: String? {
        guard let lock = input.lock, !settings.isPresenter || time.latest.steady < lock.noticeEnd else { return nil }
        return settings.localizer(.keysLocked(word: KeyLock.word))
    }

    /// What the bottom line shows instead of the keys; `nil` for the keys.
    var bottomNotice: String? { question ?? message ?? lockNotice }
}
