package import Canvas
import TripModel
import TripText

/// Draws a state; depends on the state only.
///
/// The layout of the view of one trip at 80x24; from 110x32 on, the timeline has its own panel below the arrival:
///
/// ```text
///  breadcrumb, connection, clock
///  tabs
///  status
///  timeline
/// ╭ Map ──────────────╮╭ Arrival ───────────╮
/// │                   ││                    │
/// │                   │╭ Token ─────────────╮
/// ╭ Events ───────────╮╭ Polling ───────────╮
/// │                   ││                    │
///  keys
/// ```
///
/// A screen of less than 60 columns has the lines, the map and the events below each other. Below 36x24 there are lines without panels; below 30x6 only a message about the size.
package func view(_ state: State, recordsTexts: Bool = false) -> Canvas {
    var canvas = Canvas(
        width: state.width,
        height: state.height,
        glyphs: state.settings.glyphs,
        recordsTexts: recordsTexts
    )
    let screen = canvas.bounds
    guard screen.width >= ScreenLayout.smallest.width, screen.height >= ScreenLayout.smallest.height else {
        drawTooSmall(state.settings.localizer, on: &canvas)
        return canvas
    }
    if let page = state.titlePage {
        page.draw(on: &canvas)
        if state.ride.isHeld {
            let word = " \(state.settings.localizer(.presenterPaused)) "
            canvas.put(word, in: screen.inset(horizontal: 1, vertical: 0), align: .right, role: .badgeWarning)
        }
        // The last page may be the last chance to wait for what is not delivered yet.
        if page.isLast, let banner = state.deliveryBanner, screen.height > 2 {
            let line = screen.row(screen.height - 2)
            canvas.fill(line, role: banner.role)
            canvas.put(banner.text, in: line.inset(horizontal: 1, vertical: 0), role: banner.role)
        }
        if state.question != nil {
            let line = screen.row(screen.height - 1)
            canvas.fill(line)
            drawKeys(of: state, on: &canvas, in: line)
        }
        return canvas
    }
    guard let trip = state.trip else {
        canvas.put(
            state.settings.localizer(state.settings.hasSides ? .sideWaiting : .noTripFollowed),
            in: screen,
            row: screen.height / 2,
            align: .center,
            role: .warning
        )
        return canvas
    }
    let view = TripView(state: state, trip: trip)
    let layout = state.layout
    if state.showsPresenter {
        PresenterView(trip: view).draw(on: &canvas, in: state.presenterRect)
        drawTimeLine(of: state, on: &canvas)
        if state.prompt != nil {
            drawPrompts(of: state, layout, on: &canvas)
        } else if state.bottomNotice != nil {
            canvas.fill(layout.keys)
            drawKeys(of: state, on: &canvas, in: layout.keys)
        } else if state.banner != nil {
            drawBanner(of: state, on: &canvas, in: layout.keys)
        }
        state.overlay?.panel(in: state.panels).draw(state, on: &canvas)
        return canvas
    }
    if state.settings.isPresenter {
        PresenterView(trip: view).drawHeader(on: &canvas, in: layout.header)
        PresenterView(trip: view).drawCaption(state.captionLines, on: &canvas, in: layout.caption)
    } else {
        view.drawHeader(on: &canvas, in: layout.header)
        drawTabs(of: state, on: &canvas, in: layout.tabs)
        drawCaption(of: state, on: &canvas, in: layout.caption)
    }
    drawBanner(of: state, on: &canvas, in: layout.banner)
    state.panels[state.view].draw(view, layout, on: &canvas)
    if !layout.talk.isEmpty { TalkStrip(view).draw(on: &canvas, in: layout.talk.inset(horizontal: 1, vertical: 0)) }
    drawTimeLine(of: state, on: &canvas)
    if state.prompt != nil {
        drawPrompts(of: state, layout, on: &canvas)
    } else if !state.settings.isPresenter || state.bottomNotice != nil {
        drawKeys(of: state, on: &canvas, in: layout.keys)
    }
    state.overlay?.panel(in: state.panels).draw(state, on: &canvas)
    return canvas
}

/// Draws the text input and its completions.
private func drawPrompts(of state: State, _ layout: ScreenLayout, on canvas: inout Canvas) {
    guard let prompt = state.prompt else { return }
    drawPrompt(prompt, state.settings.localizer, on: &canvas, in: layout.keys)
    drawCompletions(of: state, on: &canvas, above: layout.keys)
}

/// Draws the actual and the minimum size of the terminal, as far as there is room.
private func drawTooSmall(_ localizer: Localizer, on canvas: inout Canvas) {
    let screen = canvas.bounds
    let need = ScreenLayout.smallest
    let row = max(0, (screen.height - 2) / 2)
    let size = "\(screen.width)x\(screen.height)"
    let text = screen.width >= 20 ? localizer(.tooSmall(size: size)) : size
    canvas.put(text, in: screen, row: row, align: .center, role: .warning)
    let wanted = "\(need.width)x\(need.height)"
    let wish = screen.width >= 20 ? localizer(.needsSize(size: wanted)) : "<" + wanted
    canvas.put(wish, in: screen, row: row + 1, align: .center, role: .secondary)
}
