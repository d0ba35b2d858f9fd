import FleetTokens
import Foundation
import Testing
import TripModel
import TripTestSupport
import TripText

@testable import tripshare

/// The commands that report in text, and the error messages, in every language.
@Suite("Languages of reports and errors", .ends(within: .longTest))
struct CommandLanguageTests {
    /// A language with words of a report and of an error.
    struct Example: Sendable, CustomTestStringConvertible {
        var language: Language
        /// The steps and the last line of `doctor`.
        var doctor: [String]
        /// The titles and the verdict of `token inspect`.
        var inspect: [String]
        /// A message about the configuration.
        var configuration: [String]

        var testDescription: String { language.rawValue }
        var environment: [String: String] { ["LC_ALL": "C.UTF-8", "TRIPSHARE_LANG": language.rawValue] }
    }

    static let examples = [
        Example(
            language: .german,
            doctor: ["✓ Einrichtung", "✗ Verbindung", "Wahrscheinlich: ", "Beim ersten Problem angehalten."],
            inspect: ["Regeln", "✗ Ablauf", "Sein Ablauf liegt", "Urteil: Er wird nicht verwendet"],
            configuration: ["„oddKey“", "unbekannten Schlüssel"]
        ),
        Example(
            language: .korean,
            doctor: ["✓ 설정", "✗ 연결", "원인일 가능성이 높음: ", "첫 문제에서 멈췄습니다."],
            inspect: ["규칙", "✗ 만료", "전에 만료되었습니다", "판정: 사용하지 않습니다"],
            configuration: ["‘oddKey’", "알 수 없는 키"]
        ),
        Example(
            language: .simplifiedChinese,
            doctor: ["✓ 配置", "✗ 连接", "很可能是：", "检查在第一个问题处停止。"],
            inspect: ["规则", "✗ 到期", "前过期", "判定：不予使用"],
            configuration: ["“oddKey”", "未知的键"]
        ),
        Example(
            language: .traditionalChinese,
            doctor: ["✓ 設定", "✗ 連線", "很可能是：", "檢查在第一個問題處停止。"],
            inspect: ["規則", "✗ 到期", "前過期", "判定：不予使用"],
            configuration: ["「oddKey」", "未知的鍵"]
        ),
    ]

    /// Words that occur in the English reports and in no translation.
    private static let english = ["listens", "Verdict", "expired", "Rules", "unknown key", "Stopped"]

    @Test(arguments: examples)
    func `doctor reports in the language of the environment`(_ example: Example) async throws {
        try await RefusedPort.run { port in
            let target = ["doctor", "t", "--provider-id", "p", "--token-env", "X"]
            let url = ["--fleet-engine-url", "http://127.0.0.1:\(port)"]
            let run = try await Program.runInProcess(target + url, environment: example.environment)
            #expect(run.status == 69, "\(run.errors)")
            for words in example.doctor { #expect(run.output.contains(words), "\(run.output)") }
            for word in Self.english { #expect(!run.output.contains(word), "\(run.output)") }
            // The results begin in the same column.
            let columns = Set(run.lines.filter { $0.contains("127.0.0.1") }.map(Self.columnOfResult))
            #expect(columns.count == 1, "\(run.output)")

            let json = try await Program.runInProcess(
                target + url + ["--output", "json"],
                environment: example.environment
            )
            #expect(json.output.contains(#""step":"connection""#) && json.output.contains("Nothing listens at"))
        }
    }

    /// The column at which the text behind the step begins.
    private static func columnOfResult(_ line: String) -> Int {
        guard let gap = line.range(of: "  ") else { return 0 }
        let text = line[gap.upperBound...].drop { $0 == " " }
        return String(line[..<text.startIndex]).unicodeScalars.reduce(0) { $0 + ($1.value > 0x2FFF ? 2 : 1) }
    }

    @Test(arguments: examples)
    func `token inspect explains in the language of the environment`(_ example: Example) async throws {
        let token = FakeToken(.trip(try TripID("t")), issuedAt: Date() - 4000, lifetime: .seconds(3300)).text
        let inspect = ["token", "inspect", "--trip", "t"]
        let run = try await Program.runInProcess(inspect, environment: example.environment, input: token)
        #expect(run.status == 1 && run.errors.isEmpty, "\(run.errors)")
        for words in example.inspect { #expect(run.output.contains(words), "\(run.output)") }
        for word in Self.english { #expect(!run.output.contains(word), "\(run.output)") }
        let json = try await Program.runInProcess(
            inspect + ["--output", "json"],
            environment: example.environment,
            input: token
        )
        #expect(json.output.contains(#""rule":"expiry""#) && json.output.contains("It expired"), "\(json.output)")
    }

    @Test(arguments: examples)
    func `an error of the configuration is reported in its own language`(_ example: Example) async throws {
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("config.json")
            try Data(#"{"lang":"\#(example.language.rawValue)","oddKey":"x"}"#.utf8).write(to: file)
            let run = try await Program.runInProcess(
                ["watch", "t"],
                environment: ["LC_ALL": "C.UTF-8", "TRIPSHARE_CONFIG": file.path]
            )
            #expect(run.status == 78)
            for words in example.configuration { #expect(run.errors.contains(words), "\(run.errors)") }
            for word in Self.english { #expect(!run.errors.contains(word), "\(run.errors)") }
        }
    }

    @Test func `chooses the language by flag, variable, file and locale, in this order, and skips unknown names`()
        throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "config.json")
        try Data(#"{"lang":"zh-Hant"}"#.utf8).write(to: file)
        func language(_ arguments: [String], _ environment: [String: String]) -> Language {
            Localizer.chosen(arguments: arguments, environment: environment).language
        }
        let locale = ["LC_ALL": "de_DE.UTF-8", "HOME": folder.path]
        let configured = locale.merging(["TRIPSHARE_CONFIG": file.path]) { $1 }
        let named = configured.merging(["TRIPSHARE_LANG": "zh-Hans"]) { $1 }
        #expect(language([], locale) == .german)
        #expect(language([], configured) == .traditionalChinese)
        #expect(language([], named) == .simplifiedChinese)
        #expect(language(["watch", "--lang", "ko"], named) == .korean)
        #expect(language(["watch", "--lang=ko"], named) == .korean)
        #expect(language(["watch", "--lang", "klingon"], named) == .simplifiedChinese)
        #expect(language(["watch", "--", "--lang=ko"], named) == .simplifiedChinese)
        #expect(language([], locale.merging(["TRIPSHARE_LANG": "klingon"]) { $1 }) == .german)
    }

    @Test func `no message to the user is written in the source code`() throws {
        let root = Checkout.folder.appending(path: "Sources/tripshare").path
        let paths = try #require(FileManager.default.enumerator(atPath: root)).compactMap { $0 as? String }
        for path in paths where path.hasSuffix(".swift") {
            let source = try String(contentsOfFile: root + "/" + path, encoding: .utf8)
            for call in [/ValidationError\(\s*"/, /Printing\.(?:error|warning)\(\s*"/, /CommandFailure\(\s*\.\w+,\s*"/]
            {
                #expect(source.firstMatch(of: call) == nil, "\(path)")
            }
        }
    }
}
