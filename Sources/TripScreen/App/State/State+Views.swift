import Runtime
import TripText

/// Which view or panel is shown next.
extension State {
    /// The view to which Escape returns; `nil` at the top.
    var above: ViewKind? { view.panel.above(in: self) }

    /// Shows a view.
    mutating func show(_ kind: ViewKind) {
        view = kind
        closePrompt()
        _ = updateView { $0.open(in: $1) }
    }

    /// Shows the view of a number key.
    mutating func show(by key: Key) {
        if case .character(let digit) = key, let number = digit.wholeNumberValue,
            let kind = views.first(where: { $0.number == number })
        {
            show(kind)
        }
    }

    /// Opens or closes the help.
    mutating func toggleHelp() {
        if case .help = overlay { show(overlay: nil) } else { show(overlay: .help(row: 0)) }
    }

    /// Opens the command line.
    mutating func openPalette() -> [Effect] {
        open(.command)
        return searchTrips()
    }

    /// Shows the view a number of steps to the right of the current one.
    mutating func showView(after steps: Int) { show(view.stepped(by: steps, in: views)) }

    /// Begins or ends the presenter mode.
    mutating func togglePresenter() {
        settings.isPresenter.toggle()
        if settings.isPresenter { show(.trip) }
    }

    /// Leaves the presenter mode; shows how to return.
    private mutating func closePresenter() {
        guard settings.isPresenter else { return }
        settings.isPresenter = false
        message = settings.localizer(.presenterLeft(key: keyName(.presenter)))
    }

    /// Scrolls the current view, if it is a text.
    mutating func scrollText(by rows: Int) {
        change(view) { panel, state in
            guard var text = panel as? any TextPanel else { return }
            text.scroll(by: rows, in: state)
            panel = text
        }
    }

    /// The number of rows per page, slightly fewer than a view shows.
    var page: Int { max(1, height - 8) }

    /// Whether there is something to return to.
    var canGoBack: Bool {
        overlay != nil || panels[view].canClose(in: self) || above != nil || !needle.isEmpty || settings.isPresenter
    }

    /// Returns to what was shown before.
    mutating func goBack() {
        if overlay != nil {
            show(overlay: nil)
        } else if panels[view].canClose(in: self) {
            panels[view].close()
        } else if !needle.isEmpty {
            seek("")
        } else if settings.isPresenter {
            if view == .trip { closePresenter() } else { show(.trip) }
        } else if let above {
            show(above)
        }
    }
}
