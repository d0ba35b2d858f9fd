import Runtime
import Testing
import TripTestSupport

@testable import Recording

@Suite("Restricted parts that wait for their entries", .ends(within: .quickTest))
struct RestrictedPartTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `only the oldest are dropped above the limit`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let limit = Int.random(in: 1...8, using: &generator)
        var parts = RestrictedParts(limit: limit)
        var model: [(id: String, value: Double)] = []
        for step in 0..<400 {
            let id = "e\(Int.random(in: 0..<24, using: &generator))"
            if Int.random(in: 0..<3, using: &generator) == 0 {
                let index = model.firstIndex { $0.id == id }
                let expected = index.map { JSONValue.number(model.remove(at: $0).value) }
                #expect(parts.remove(of: id) == expected, "step \(step)")
            } else {
                parts.add(.number(Double(step)), of: id)
                if let index = model.firstIndex(where: { $0.id == id }) {
                    model[index].value = Double(step)
                } else {
                    model.append((id, Double(step)))
                }
                model = model.suffix(limit)
            }
            #expect(parts.count == model.count)
        }
    }
}
