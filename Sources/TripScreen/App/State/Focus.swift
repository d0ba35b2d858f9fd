package import TripModel

/// What receives the keys: one thing at a time.
package enum Focus: Sendable, Equatable {
    /// The current view.
    case view
    /// A panel over the screen.
    case overlay(Overlay)
    /// The text input at the bottom, over a panel or the view.
    case prompt(Prompt, over: Overlay?)
    /// A question, over the view; every key except `y` declines.
    case question(Question)
    /// A page that is shown instead of the views, and what follows it.
    indirect case page(TitlePage, over: Focus)

    /// What is done if the next key is `y`.
    package enum Question: Sendable, Equatable {
        /// A trip is removed.
        case remove(JourneyID)
        /// The command of a key that writes a file.
        case perform(KeyBinding.Command)
        /// The program ends; its key confirms, too.
        case quit
    }

    /// A panel over the screen.
    package enum Overlay: Sendable, Equatable {
        /// The keys and the map symbols, with the first visible row.
        case help(row: Int)
        /// The expectations of the tester.
        case expectations
        /// The menu of faults.
        case faults
        /// Details of the shown trip, with the first visible row.
        case details(Details, row: Int)
    }

    /// The kinds of details.
    package enum Details: Sendable, Equatable {
        /// What happened on the trip so far.
        case receipt
        /// The last failure: what happened, since when, the evidence, the suspects, the next step.
        case failure
        /// The events that support the sentences of the view; the row is the cursor's row.
        case evidence
        /// The events that support the rows of the receipt; the row is the cursor's row.
        case receiptEvidence
        /// A call, by its number.
        case call(Int)
    }
}

extension State {
    /// The panel over the screen, also while an input is open over it; `nil` if there is none.
    package var overlay: Focus.Overlay? {
        switch focus.belowPage {
        case .overlay(let overlay), .prompt(_, over: let overlay?): overlay
        case .view, .prompt(_, over: nil), .question, .page: nil
        }
    }

    /// The text input at the bottom; `nil` if there is none.
    package var prompt: Prompt? {
        if case .prompt(let prompt, _) = focus.belowPage { prompt } else { nil }
    }

    /// The question that the next key answers; `nil` if there is none.
    package var asked: Focus.Question? {
        if case .question(let question) = focus.belowPage { question } else { nil }
    }

    /// The page that is shown instead of the views; `nil` if there is none.
    package var titlePage: TitlePage? {
        if case .page(let page, _) = focus { page } else { nil }
    }

    /// Shows a page until the next key, or removes it.
    mutating func show(page: TitlePage?) {
        var page = page
        if page?.isLast == true { page?.recap = Recap(self).sentences }
        focus = page.map { .page($0, over: focus.belowPage) } ?? focus.belowPage
    }

    /// Opens a panel, or closes it.
    mutating func show(overlay: Focus.Overlay?) { focus.belowPage = overlay.map(Focus.overlay) ?? .view }

    /// Opens the text input over what is on the screen.
    mutating func open(_ kind: Prompt.Kind, _ text: String = "") {
        focus.belowPage = .prompt(Prompt(kind: kind, line: LineEditor(text)), over: overlay)
    }

    /// Closes the text input; a panel below it stays.
    mutating func closePrompt() { if prompt != nil { show(overlay: overlay) } }

    /// Asks a question over what is on the screen.
    mutating func ask(_ question: Focus.Question) { focus.belowPage = .question(question) }

    /// Shows an input again after a change of its text; nothing if it is closed.
    mutating func update(_ prompt: Prompt) {
        if self.prompt != nil { focus.belowPage = .prompt(prompt, over: overlay) }
    }

    /// Withdraws the question, if there is one.
    mutating func withdrawQuestion() { if asked != nil { focus.belowPage = .view } }
}

extension Focus {
    /// The focus without the page.
    fileprivate(set) var belowPage: Focus {
        get { if case .page(_, let below) = self { below } else { self } }
        set { if case .page(let page, _) = self { self = .page(page, over: newValue) } else { self = newValue } }
    }
}
