import AsyncAlgorithms
import Failures
import Foundation
import Terminal
import TripFeed
import TripScreen

/// The script of a session, which plays the user.
extension ScreenOutput {
    /// Executes the steps of the script that need not wait.
    ///
    /// Its keys do not restart the demo, because the script would then repeat itself without end.
    mutating func playScript(on feed: TripFeed) async -> Result<CompletionTracker.Outcome, any Error>? {
        // Without a script the screen is not drawn for it.
        while player != nil {
            let canvas = picture
            guard let action = player?.next(on: canvas) else { return nil }
            switch action {
            case .send(let event):
                update(event)
                guard await performEffects(on: feed) else { return .success(.done) }
            case .dump(let path): if let text = dump(to: path) { return Self.failure(text, .outputFailed) }
            case .draw(let path): if let text = draw(to: path) { return Self.failure(text, .outputFailed) }
            case .film(let path):
                let picture = film?.text(theme: drawnTheme) ?? ""
                if let text = save(picture, to: path) { return Self.failure(text, .outputFailed) }
            case .sleep(let seconds):
                stepping?.cancel()
                stepping = timer(.step(player?.place ?? 0)) { [clock = configuration.clock] in
                    try await clock.sleep(real: .seconds(seconds))
                }
            case .wait: return nil
            case .end: return .success(.done)
            }
        }
        return nil
    }

    /// Sends an input after a wait, unless the task is cancelled.
    func timer(_ input: Input, after wait: @escaping @Sendable () async throws -> Void) -> Task<Void, Never> {
        Task { [inputs] in
            // An error means that the timer was cancelled.
            guard (try? await wait()) != nil else { return }
            await inputs.send(input)
        }
    }

    static func failure(
        _ text: String,
        _ status: ExitStatus = .expectationFailed
    ) -> Result<CompletionTracker.Outcome, any Error> {
        .failure(CommandFailure(status) { _ in text })
    }
}
