/// An array in blocks of about 2 kB; copies of it share every block that none of them has changed since.
///
/// A changed copy of an `Array` has the memory of all its elements. The keyframes of a replay are such copies: of ten thousand
/// events, each changes one trip and adds a few elements to its lists.
package struct SharedArray<Element> {
    /// The elements of each block; the elements of the first block before `start` have been removed.
    @usableFromInline var blocks: [[Element]] = []
    /// The number of removed elements in the first block.
    @usableFromInline var start = 0

    /// Creates an empty array.
    @inlinable
    package init() {}

    /// The maximum number of elements in a block.
    @inlinable static var blockSize: Int { Swift.max(1, 2048 / Swift.max(1, MemoryLayout<Element>.stride)) }
}

extension SharedArray: Sendable where Element: Sendable {}

// MARK: - Elements

extension SharedArray: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    @inlinable package var startIndex: Int { 0 }

    @inlinable package var endIndex: Int {
        guard let last = blocks.last else { return 0 }
        return (blocks.count - 1) * Self.blockSize + last.count - start
    }

    @inlinable
    package subscript(index: Int) -> Element {
        _read {
            let place = start + index
            yield blocks[place / Self.blockSize][place % Self.blockSize]
        }
        _modify {
            let place = start + index
            yield &blocks[place / Self.blockSize][place % Self.blockSize]
        }
    }

    @inlinable
    package mutating func append(_ element: Element) {
        if let last = blocks.indices.last, blocks[last].count < Self.blockSize {
            blocks[last].append(element)
        } else {
            blocks.append([element])
        }
    }

    @inlinable
    package mutating func removeFirst(_ count: Int) {
        precondition(count <= self.count, "more elements are removed than there are")
        guard count < self.count else {
            self = SharedArray()
            return
        }
        start += count
        blocks.removeFirst(start / Self.blockSize)
        start %= Self.blockSize
    }

    @discardableResult
    @inlinable
    package mutating func removeFirst() -> Element {
        let element = self[0]
        removeFirst(1)
        return element
    }

    @discardableResult
    @inlinable
    package mutating func remove(at index: Int) -> Element {
        let element = self[index]
        replaceSubrange(index..<(index + 1), with: EmptyCollection())
        return element
    }

    @inlinable
    package mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<Element>) {
        // The blocks before the range stay.
        let (retained, place) = (start + range.lowerBound).quotientAndRemainder(dividingBy: Self.blockSize)
        var rest = retained < blocks.count ? Array(blocks[retained].prefix(place)) : []
        rest += elements
        // A block of one element needs no other place for its element.
        if Self.blockSize == 1 {
            blocks.replaceSubrange(range, with: rest.map { [$0] })
            return
        }
        rest += self[range.upperBound...]
        blocks.removeSubrange(retained...)
        for element in rest { append(element) }
        if isEmpty { self = SharedArray() }
    }
}

extension SharedArray: Equatable where Element: Equatable {
    package static func == (one: SharedArray, other: SharedArray) -> Bool { one.elementsEqual(other) }
}

extension SharedArray: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension SharedArray: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .collection) }
}

// MARK: - Memory

extension SharedArray {
    /// Returns the indices of the elements in blocks that are not also blocks of another array.
    package func unshared(with other: SharedArray?) -> [Int] {
        let known = Set(other.map { $0.blocks.map(Self.address) } ?? [])
        let new = blocks.indices.filter { !known.contains(Self.address(of: blocks[$0])) }
        return new.flatMap { block in
            let first = block * Self.blockSize - start
            return Swift.max(0, first)..<Swift.min(count, first + Self.blockSize)
        }
    }

    /// Returns the number of bytes that the array uses in addition to the bytes that it shares with another array.
    package func unsharedBytes(with other: SharedArray?) -> Int {
        unshared(with: other).count * MemoryLayout<Element>.stride + blocks.count * MemoryLayout<[Element]>.stride
    }

    private static func address(of block: [Element]) -> UInt {
        // Two arrays at the same address are the same array, which is only compared, not read.
        unsafe block.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
}
