import Foundation
import Runtime
import Testing
import TripModel
import TripScreen
import TripTestSupport
import TripText

@Suite("Locale", .ends(within: .quickTest))
struct LocaleTests {
    @Test(arguments: [
        ("de", Language.german), ("de_DE.UTF-8", .german), ("de-AT", .german), ("ko_KR.UTF-8", .korean),
        ("zh-Hans", .simplifiedChinese), ("zh_CN.UTF-8", .simplifiedChinese), ("zh-SG", .simplifiedChinese),
        ("zh", .simplifiedChinese), ("zh_Hans_HK", .simplifiedChinese), ("zh-Hant", .traditionalChinese),
        ("zh_TW.UTF-8", .traditionalChinese), ("zh_HK", .traditionalChinese), ("en_GB@euro", .english), ("C", .english),
        ("C.UTF-8", .english), ("POSIX", .english),
    ])
    func `recognizes a language by its locale names`(_ name: String, _ language: Language) {
        #expect(Language(named: name) == language)
    }

    @Test(arguments: ["fr_FR.UTF-8", "", "deutsch", "_", "."])
    func `uses English for languages without a catalogue`(_ name: String) {
        #expect(Language(named: name) == nil)
        #expect(LocaleNames(["LANG": name]).language == .english)
    }

    @Test func `LC_ALL overrides a category, and a category overrides LANG`() {
        #expect(LocaleNames(["LANG": "de_DE.UTF-8"]).language == .german)
        #expect(LocaleNames(["LANG": "de_DE.UTF-8", "LC_MESSAGES": "ko_KR.UTF-8"]).language == .korean)
        let all = ["LANG": "de_DE", "LC_MESSAGES": "ko_KR", "LC_ALL": "zh_TW.UTF-8"]
        #expect(LocaleNames(all).language == .traditionalChinese)
        #expect(LocaleNames(["LC_ALL": "", "LANG": "de_DE.UTF-8"]).language == .german)
        #expect(LocaleNames([:]).language == .english)
    }

    @Test func `uses miles and a 12-hour clock where they are usual`() {
        #expect(LocaleNames(["LANG": "en_US.UTF-8"]).units == .imperial)
        #expect(LocaleNames(["LANG": "en_GB.UTF-8"]).units == .imperial)
        #expect(LocaleNames(["LANG": "en_US.UTF-8", "LC_MEASUREMENT": "de_DE.UTF-8"]).units == .metric)
        #expect(LocaleNames(["LANG": "C.UTF-8"]).units == .metric)
        #expect(LocaleNames(["LANG": "en_US.UTF-8"]).hasTwelveHours)
        #expect(!LocaleNames(["LANG": "en_US.UTF-8", "LC_TIME": "C"]).hasTwelveHours)
        #expect(!LocaleNames(["LANG": "en_GB.UTF-8"]).hasTwelveHours)
    }

    @Test(arguments: [("C.UTF-8", true), ("de_DE.utf8", true), ("de_DE.ISO-8859-1", false), ("C", false), ("", false)])
    func `detects UTF-8`(_ name: String, _ isUTF8: Bool) {
        #expect(LocaleNames(["LANG": name]).isUTF8 == isUTF8)
    }

    @Test(arguments: [
        (0.0, "12:00:00 AM", "00:00:00"), (46_799, "12:59:59 PM", "12:59:59"), (61_471, "5:04:31 PM", "17:04:31"),
    ])
    func `shows the time by the clock of the locale`(_ second: Double, _ twelve: String, _ twentyFour: String) {
        let date = Date(timeIntervalSince1970: second)
        #expect(Zone(offset: 0, name: "", hasTwelveHours: true).clock(date) == twelve)
        #expect(Zone(offset: 0, name: "").clock(date) == twentyFour)
    }

    @Test func `formats numbers by the rules of the language`() {
        let german = Localizer(.german)
        #expect(german.distance(Distance(meters: 1234)) == "1,2 km")
        #expect(german.latency(.milliseconds(1240)) == "1,24 s")
        #expect(german.heading(47) == "NO 47°")
        #expect(german.age(.seconds(2 * 86_400)) == "2 Tage")
        #expect(Localizer(.korean).span(.seconds(245)) == "4분 5초")
        #expect(Localizer(.simplifiedChinese).span(.seconds(7380)) == "2 小时 3 分")
        #expect(Localizer(.traditionalChinese).distance(Distance(meters: 350)) == "350 公尺")
    }

    @Test func `shows distances and speeds in miles on request`() {
        let words = Localizer(.english, units: .imperial)
        #expect(words.distance(Distance(meters: 100)) == "330 ft")
        #expect(words.distance(Distance(meters: 500)) == "0.3 mi")
        #expect(words.distance(Distance(meters: 32_187)) == "20 mi")
        #expect(words.meters(5) == "16 ft")
        #expect(words.speed(20) == "45 mph")
        #expect(words.distance(Distance(meters: .nan)) == "not known")
        #expect(Localizer(.german, units: .imperial).distance(Distance(meters: 500)) == "0,3 mi")
    }
}
