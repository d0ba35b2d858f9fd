/// The files that are written when a session is over, before notices are awaited: their failures.
///
/// A receiver of notices may be slow, or the user may not wait for it. The files must not depend on that.
struct SessionFiles: Sendable {
    /// Why the report about the expectations was not written; `nil` if it was written or not asked for.
    let report: CommandFailure?
    /// Why the page of a session without a screen was not written; `nil` if it was written or not asked for.
    let page: CommandFailure?

    /// Decides the expectations, and writes the files.
    init(writing configuration: SessionConfiguration) {
        page = configuration.writeSharedPage()
        configuration.expectations?.finish(at: configuration.clock.now())
        do {
            try configuration.expectations?.writeReport(of: configuration)
            report = nil
        } catch {
            report = error
        }
    }
}
