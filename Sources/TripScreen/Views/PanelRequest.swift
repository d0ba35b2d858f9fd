import TripModel

/// What a panel asks the screen for, because it can change nothing but itself.
enum PanelRequest: Sendable {
    /// A side effect of the screen.
    case perform(Effect)
    /// Another view.
    case show(ViewKind)
    /// A trip in the current view, by its index.
    case select(Int)
    /// A trip as the chosen row of the list; the positions in other views stay until it is opened.
    case choose(Int)
    /// A panel over the screen, or the end of it.
    case overlay(Focus.Overlay?)
    /// A call in the list of calls, by its number.
    case call(Int)
    /// The usual effect of a key.
    case press(Key)
    /// A text input.
    case prompt(Prompt.Kind, String)
    /// A question that the next key answers.
    case ask(Focus.Question)
    /// A message until the next key.
    case message(String)
    /// A message about what was entered; untrusted text.
    case complain(String)
    /// A trip to follow, and to show.
    case watch(JourneyID)
    /// The end of the base map.
    case removeBasemap
}

extension State {
    /// Performs what a panel asks for.
    mutating func perform(_ requests: [PanelRequest]) -> [Effect] {
        var effects: [Effect] = []
        for request in requests {
            switch request {
            case .perform(let effect): effects.append(effect)
            case .show(let kind): show(kind)
            case .select(let index): select(index)
            case .choose(let index): selected = index
            case .overlay(let overlay): show(overlay: overlay)
            case .call(let number): show(call: number)
            case .press(let key): effects += press(key)
            case .prompt(let kind, let text): open(kind, text)
            case .ask(let question): ask(question)
            case .message(let text): message = text
            case .complain(let text): effects += complain(text)
            case .watch(let id): effects += watch(id)
            case .removeBasemap:
                settings.basemap = nil
                settings.findsBasemap = false
            }
        }
        return effects
    }
}
