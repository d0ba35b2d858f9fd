import TripModel
import TripScreen
import TripText

/// The presenter's console in another process: reports to it, and its requests.
extension ScreenOutput {
    /// Reports what the audience sees.
    func publishToPresenter() {
        configuration.presenter?.publish(
            state,
            faults: configuration.faults?.active ?? [],
            at: configuration.clock.anchor
        )
    }

    /// Performs a request of the console; the screen shows no message about it.
    mutating func perform(_ request: PresenterRequest) {
        guard let presenter = configuration.presenter else { return }
        presenter.finish(nil)
        switch request {
        case .fault(let change): inject(change) { presenter.finish($0) }
        case .restart: restart(DemoRestart())
        // The name of a file is not accepted.
        case .play(let scenario) where presenter.scenarios.contains(scenario): restart(DemoRestart(scenario: scenario))
        case .nextChapter where configuration.tour?.hasNext == true:
            restart(DemoRestart(stage: configuration.tour.map { $0.index + 1 }))
        case .play, .nextChapter: presenter.finish(state.settings.localizer(.consoleNotPossible))
        }
    }
}
