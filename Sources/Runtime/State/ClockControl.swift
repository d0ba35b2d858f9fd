/// Controls a clock: of an emulator, of a replay or of a log.
package struct ClockControl: Sendable {
    /// Pauses or resumes.
    package var pause: @Sendable (Bool) -> Void
    /// Sets the speed in virtual seconds per real second; returns `false` if it is out of range.
    package var setSpeed: @Sendable (Double) -> Bool
    /// Moves the time of day; a forward step also advances the steady time.
    package var step: @Sendable (Duration) -> Void
    /// Returns whether the clock is paused.
    package var isPaused: @Sendable () -> Bool
}
