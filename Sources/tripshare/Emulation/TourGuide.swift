import FleetEmulator
import Runtime
import TripModel
import TripScreen
import TripText

/// Plays one stage of a tour: shows its page, then performs its steps in the ride's time, and continues with the next stage.
struct TourGuide: Sendable {
    /// What the guide does to the screen.
    enum Event: Sendable {
        case message(Message)
        /// Start the next stage.
        case next
    }

    let tour: Tour
    /// The index of the stage; it must be one of the tour's.
    let index: Int
    let localizer: Localizer

    private var stage: Tour.Stage { tour.stages[index] }

    /// Whether another stage follows.
    var hasNext: Bool { index + 1 < tour.stages.count }

    /// How long a page is shown, in seconds of real time at the tour's own speed.
    private static let pageSeconds = 3.0

    /// The title of the presenter view, such as `2/4  A traffic jam`.
    var heading: String { "\(number)  \(localizer.caption(stage.title))" }

    /// The stage for a presenter's console.
    var chapter: PresenterReport.Chapter {
        PresenterReport.Chapter(
            number: index + 1,
            count: tour.stages.count,
            title: localizer.caption(stage.title),
            next: hasNext ? localizer.caption(tour.stages[index + 1].title) : nil
        )
    }

    private var number: String { "\(index + 1)/\(tour.stages.count)" }

    /// The page before the ride.
    var page: TitlePage {
        TitlePage(
            number: number,
            title: localizer.caption(stage.title),
            about: localizer.caption(stage.about),
            note: localizer(.tourKeys)
        )
    }

    /// The page after the last ride.
    private var lastPage: TitlePage {
        TitlePage(
            number: "",
            title: localizer(.recapTitle),
            about: localizer(
                .labelled(label: localizer.caption(tour.last.title), value: localizer.caption(tour.last.about))
            ),
            note: localizer(.tourEnd),
            isLast: true
        )
    }

    /// Plays the stage on the clock of the ride, with which it pauses.
    func play(_ clock: some TripClock, send: (Event) async -> Void) async throws {
        let start = clock.now().steady
        await send(.message(.page(page)))
        let shown = Self.pageSeconds * stage.speed
        try await clock.sleep(until: start + .seconds(shown))
        await send(.message(.page(nil)))
        for step in stage.steps {
            try await clock.sleep(until: start + .seconds(max(step.at, shown)))
            for name in step.commands ?? [] {
                if let command = KeyBinding.Command(rawValue: name) { await send(.message(.command(command))) }
            }
        }
        try await clock.sleep(until: start + .seconds(stage.seconds))
        if hasNext {
            await send(.next)
        } else {
            await send(.message(.page(lastPage)))
        }
    }
}
