import Canvas
import Foundation
import Terminal

/// A program for tests: a screen of one line, with a key for each way to crash.
///
/// It counts its input and shows the counts: `keys 3 pasted 12 size 80x24`. `q` ends it and prints the counts once more. `x` shows
/// the last background that the terminal has told, and the theme of the start; `y` shows a title and a progress outside.
@main
struct ScreenProbe {
    /// The minimum number of frames in a flood and its minimum duration.
    ///
    /// Both must be reached, so that slow and fast machines draw many frames.
    private static let flood = (pictures: 10_000, lasts: Duration.seconds(1))

    private var keys = 0
    private var pasted = 0
    private var background = "unknown"
    private var shownTheme = ""
    private var size = (width: 0, height: 0)

    static func main() async {
        do {
            let screen = try Screen.open(TerminalOptions(environment: ProcessInfo.processInfo.environment))
            var probe = ScreenProbe()
            await probe.run(screen)
        } catch {
            print("no screen: \(error)")
            exit(69)
        }
    }

    private mutating func run(_ screen: Screen) async {
        for await event in screen.events {
            switch event {
            case .key(let key):
                keys += 1
                if case .character("q") = key.code {
                    await screen.close()
                    print(counts)
                    return
                }
                if case .character("x") = key.code { shownTheme = " \(background)/\(screen.capabilities.theme)" }
                if case .character("y") = key.code {
                    await screen.present(picture(filledWith: " "), WindowStatus(title: "a\u{1B}]2;b", progress: keys))
                }
                if case .character("h") = key.code { await endAfterHangUp(screen) }
                if case .character("w") = key.code { flood(screen) }
                if case .character("r") = key.code { await screen.notify("trip \u{1B}]52;c;eA==\u{7}4;1 arrived") }
                if case .character(let character) = key.code, key.modifiers.isEmpty {
                    await Disaster(character)?.happen()
                }
            case .paste(let text): pasted += text.utf8.count
            case .resized(let width, let height): size = (width, height)
            case .interrupted(let signal):
                await screen.close()
                exit(128 + signal)
            case .hangup:
                await endAfterHangUp(screen)
            case .background(let told): background = told.rawValue
            case .mouse, .focus, .resumed: break
            }
            await screen.present(picture(filledWith: " "))
        }
    }

    /// Ends, with the signal of a closed window as late as possible.
    private func endAfterHangUp(_ screen: Screen) async {
        await screen.close()
        kill(getpid(), SIGHUP)
        exit(Self.windowClosed)
    }

    private var counts: String { "keys \(keys) pasted \(pasted)" }

    private func picture(filledWith filling: Character) -> Canvas {
        var canvas = Canvas(width: size.width, height: size.height)
        for y in 1..<max(1, size.height) {
            canvas.put(String(repeating: filling, count: size.width), x: 0, y: y)
        }
        canvas.put("\(counts) size \(size.width)x\(size.height)\(shownTheme)", x: 0, y: 0)
        return canvas
    }

    /// Presents very many different frames as fast as possible.
    ///
    /// Exits successfully, or with ``tooMuchMemory`` if the frames took more than 30 MB.
    private func flood(_ screen: Screen) {
        // Not awaited: this task ends the process, and the events go on meanwhile.
        Task { [self] in
            let before = Self.mostMemory
            let pictures = "abcdefghij".map { picture(filledWith: $0) }
            let end = ContinuousClock.now + Self.flood.lasts
            var round = 0
            while round < Self.flood.pictures || ContinuousClock.now < end {
                await screen.present(pictures[round % pictures.count])
                round += 1
            }
            await screen.close()
            guard let before, let after = Self.mostMemory, after - before < 30_000_000 else { exit(Self.tooMuchMemory) }
            exit(0)
        }
    }

    /// The exit code if the window was closed and no signal told so first.
    private static let windowClosed: Int32 = 5

    /// The exit code of a flood whose frames were kept.
    private static let tooMuchMemory: Int32 = 4

    /// The peak resident memory in bytes.
    ///
    /// Only the program itself can read it: a parent gets the peak since the fork, when the program was a copy of it.
    private static var mostMemory: Int? {
        #if canImport(Darwin)
        var usage = rusage()
        return unsafe getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : nil
        #else
        // Without the file there is no number, which is a failure, too.
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kilobytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
        return kilobytes.map { $0 * 1024 }
        #endif
    }
}
