import Foundation
import Testing
import TripTestSupport

@Suite("Languages of the program", .ends(within: .longTest))
struct LanguageTests {
    /// The first sentences of a demo that ends once the trip has been seen.
    private func run(_ arguments: [String], _ environment: [String: String] = [:]) async throws -> Program.Run {
        try await Program.run(
            ["demo", "--output", "plain", "--until", "NEW", "--speed", "20"] + arguments,
            environment: environment
        )
    }

    @Test(arguments: [
        ("de_DE.UTF-8", "Token erhalten, gültig bis"), ("ko_KR.UTF-8", "토큰을 받음"), ("zh_CN.UTF-8", "已获得令牌"),
        ("zh_TW.UTF-8", "已取得權杖"), ("fr_FR.UTF-8", "Token received"), ("C", "Token received"),
        ("de_DE.ISO-8859-1", "Token erhalten, gueltig bis"),
    ])
    func `plain output uses the language of the locale`(_ locale: String, _ words: String) async throws {
        let run = try await run([], ["LC_ALL": locale])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains(words), "\(run.output)")
        #expect(run.errors.isEmpty)
    }

    @Test func `a flag overrides the configuration, and the configuration overrides the locale`() async throws {
        let environment = ["LC_ALL": "de_DE.UTF-8", "TRIPSHARE_LANG": "zh-Hant"]
        #expect(try await run([], environment).output.contains("已取得權杖"))
        #expect(try await run(["--lang", "ko"], environment).output.contains("토큰을 받음"))
    }

    @Test func `reports in one sentence that a language can't be displayed`() async throws {
        let run = try await run(["--lang", "ko"], ["LC_ALL": "C"])
        #expect(run.output.contains("Token received"))
        #expect(run.errors.split(separator: "\n").count == 1 && run.errors.contains("UTF-8"))
    }

    @Test func `uses a 12-hour clock in a United States locale`() async throws {
        let run = try await run([], ["LC_ALL": "en_US.UTF-8"])
        #expect(run.lines.allSatisfy { $0.contains(#/^\d{1,2}:\d\d:\d\d [AP]M  /#) }, "\(run.output)")
    }

    @Test func `JSON is the same in every language`() async throws {
        let run = try await Program.run(
            ["demo", "--output", "json", "--once", "--lang", "de", "--units", "imperial"],
            environment: ["LC_ALL": "de_DE.UTF-8"]
        )
        #expect(run.status == 0)
        #expect(run.lines.allSatisfy { $0.unicodeScalars.allSatisfy(\.isASCII) && !$0.contains("Fahr") })
    }

    @Test(arguments: [["TRIPSHARE_LANG": "klingon"], ["TRIPSHARE_UNITS": "leagues"]])
    func `lists the known languages when the configured one is unknown`(_ environment: [String: String]) async throws {
        let run = try await run([], environment)
        #expect(run.status == 78)
        #expect(run.errors.contains("Valid values: "))
    }
}
