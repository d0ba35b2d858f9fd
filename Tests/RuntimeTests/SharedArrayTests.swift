import Runtime
import Testing
import TripTestSupport

@Suite("Shared array", .ends(within: .quickTest))
struct SharedArrayTests {
    /// 250 bytes, of which 8 fit in a block.
    private struct Wide: Equatable, Sendable {
        var number: Int
        var rest = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

        static func == (one: Wide, other: Wide) -> Bool { one.number == other.number }
    }

    /// Larger than a block.
    private struct Huge: Sendable {
        var parts = [Wide](repeating: Wide(number: 0), count: 1)
        var first = Inline()
        var second = Inline()

        struct Inline: Sendable {
            var a = Wide(number: 1), b = Wide(number: 2), c = Wide(number: 3), d = Wide(number: 4)
        }
    }

    @Test func `is an array in every sequence of changes`() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            var array: [Wide] = []
            var shared: SharedArray<Wide> = []
            var copies: [(array: [Wide], shared: SharedArray<Wide>)] = []
            for number in 0..<100 {
                switch Int.random(in: 0..<9, using: &random) {
                case 0 where !array.isEmpty:
                    let count = Int.random(in: 0...min(array.count, 20), using: &random)
                    array.removeFirst(count)
                    shared.removeFirst(count)
                case 1 where !array.isEmpty:
                    let index = Int.random(in: 0..<array.count, using: &random)
                    #expect(shared.remove(at: index) == array.remove(at: index))
                case 2 where !array.isEmpty:
                    let index = Int.random(in: 0..<array.count, using: &random)
                    array[index].number += 1000
                    shared[index].number += 1000
                case 3 where !array.isEmpty:
                    let low = Int.random(in: 0..<array.count, using: &random)
                    let high = Int.random(in: low...array.count, using: &random)
                    array.replaceSubrange(low..<high, with: [Wide(number: -number), Wide(number: -2)])
                    shared.replaceSubrange(low..<high, with: [Wide(number: -number), Wide(number: -2)])
                case 4: copies.append((array, shared))
                default:
                    array.append(Wide(number: number))
                    shared.append(Wide(number: number))
                }
                #expect(shared.count == array.count && shared.elementsEqual(array))
                #expect(shared.last == array.last && shared.first == array.first)
            }
            for copy in copies { #expect(copy.shared.elementsEqual(copy.array)) }
        }
    }

    @Test func `a copy that has grown shares all but the last block`() {
        let many = SharedArray((0..<1000).map { Wide(number: $0) })
        var more = many
        for number in 0..<3 { more.append(Wide(number: number)) }
        more.removeFirst(40)
        #expect(more.unshared(with: many).count <= 16)
        #expect(more.unshared(with: many).last == more.count - 1)
        #expect(more.unsharedBytes(with: many) < more.unsharedBytes(with: nil) / 20)
        #expect(many.unshared(with: many).isEmpty && many.unshared(with: nil).count == 1000)
    }

    @Test func `a large element is shared alone, also after one before it is removed`() {
        let all = SharedArray((0..<20).map { _ in Huge() })
        var changed = all
        changed[7].first.a.number = 9
        #expect(changed.unshared(with: all) == [7])
        changed.remove(at: 2)
        #expect(changed.unshared(with: all) == [6] && changed.count == 19)
    }
}
