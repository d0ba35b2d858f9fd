import FleetEmulator
import TripText

/// The captions that are still to come, by who shows them: the events of a scenario, each driver.
///
/// The order between them depends on the drive. The next caption has the source of the last one, or else it is the first
/// one that is left.
struct CaptionQueue: Sendable, Equatable {
    /// A caption in the language of the screen.
    struct Entry: Sendable, Equatable {
        var text: String
        /// Seconds of the ride's time since the start; `nil` if it depends on the drive.
        var time: Double?
    }

    /// The captions that are left, in order.
    private(set) var lists: [[Entry]]
    /// The list of the last shown caption.
    private(set) var current = 0

    /// Records that a caption is shown; a caption that is not in the queue changes nothing.
    mutating func show(_ text: String) {
        for index in Array(lists.indices[current...]) + Array(lists.indices[..<current]) {
            guard let place = lists[index].firstIndex(where: { $0.text == text }) else { continue }
            lists[index].removeSubrange(...place)
            current = index
            return
        }
    }

    /// The caption that follows; `nil` if none is known.
    var next: Entry? {
        (lists[min(current, lists.count)...] + lists[..<min(current, lists.count)]).lazy.compactMap(\.first).first
    }
}

extension CaptionQueue {
    /// Creates the queue of a scenario.
    init(_ scenario: Scenario?, localizer: Localizer) {
        func entry(_ caption: SceneCaption, at time: Double? = nil) -> Entry {
            Entry(text: localizer.caption(caption.text, translations: caption.translations), time: time)
        }
        let drivers = (scenario?.drivers ?? []).map { driver in
            driver.steps.compactMap { step -> Entry? in
                if case .caption(let caption) = step { entry(caption) } else { nil }
            }
        }
        let events = (scenario?.events ?? []).compactMap { event -> Entry? in
            if case .caption(let caption) = event.action { entry(caption, at: event.time) } else { nil }
        }
        self.init(lists: drivers + [events])
    }
}
