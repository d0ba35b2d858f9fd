/// Bytes of the terminal, and the events that they completed.
struct Input {
    var bytes: [UInt8] = []
    var events: [TerminalEvent] = []
}

extension Device {
    /// Waits for the answer about the background for a short time, so that the first frame has its theme.
    ///
    /// A terminal that does not answer keeps the theme of its environment. An answer that comes later is an event like others.
    ///
    /// - Returns: All that has come meanwhile, with keys that were typed.
    func awaitBackground(_ capabilities: inout Capabilities, _ decoder: inout InputDecoder) -> Input {
        var input = Input()
        guard capabilities.features.contains(.background) else { return input }
        let end = Device.now() + capabilities.answerTime
        while input.bytes.count < InputLog.maximumBytes {
            let left = end - Device.now()
            guard left > 0 else { break }
            let ready = Device.wait(left)
            if ready.contains(.output) { flush() }
            // The loop handles a signal and the end of the terminal.
            if ready.contains(.signal) || ready.contains(.gone) { break }
            guard ready.contains(.input) else { continue }
            guard let bytes = read() else { break }
            let events = decoder.feed(bytes)
            input.bytes += bytes
            input.events += events
            let answer = events.lazy.compactMap { event in
                if case .background(let background) = event { background } else { nil }
            }
            if let background = answer.last {
                capabilities.theme = background.theme
                break
            }
        }
        return input
    }
}
