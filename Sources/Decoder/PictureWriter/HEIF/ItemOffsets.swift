import Containers
import Localization

/// The offsets of all items in the iloc box of a HEIF file.
///
/// Source: ISO/IEC 14496-12, 8.11.3.
struct ItemOffsets {
    private let bytes: UnsafeRawBufferPointer
    private let box: Range<Int>

    /// `box` is the range of the body of the iloc box in a file.
    init(_ bytes: UnsafeRawBufferPointer, _ box: Range<Int>) {
        (self.bytes, self.box) = (bytes, box)
    }

    private static let damaged = EditFailure.refused(
        localized("the places of its items cannot be read"))

    /// Adds the changes of the offsets from `place` on, which grow by `growth`.
    func move(
        from place: Int, by growth: Int, _ changes: inout ByteChanges
    ) throws(EditFailure) {
        var reader = BigEndianReader(bytes.slice(box))
        guard let version = reader.number(1), version <= 2, reader.consume(3) != nil,
            let sizes = reader.number(2), let count = reader.number(version < 2 ? 2 : 4)
        else { throw Self.damaged }
        let layout = Layout(
            offset: sizes >> 12, length: sizes >> 8 & 15, base: sizes >> 4 & 15,
            index: version == 0 ? 0 : sizes & 15, version: version)
        guard layout.isValid else { throw Self.damaged }
        for _ in 0..<count { try moveItem(&reader, layout, from: place, by: growth, &changes) }
    }

    /// Bytes of the fields.
    private struct Layout {
        var offset: Int
        var length: Int
        var base: Int
        var index: Int
        var version: Int

        var extentLength: Int { offset + length + index }
        var isValid: Bool { [offset, length, base, index].allSatisfy { $0 <= 8 } }
    }

    /// Moves the extents of one item: by its base if that lies behind the place, else one by one.
    private func moveItem(
        _ reader: inout BigEndianReader, _ layout: Layout, from place: Int, by growth: Int,
        _ changes: inout ByteChanges
    ) throws(EditFailure) {
        guard reader.number(layout.version < 2 ? 2 : 4) != nil,
            let method = layout.version == 0 ? 0 : reader.number(2), reader.number(2) != nil
        else { throw Self.damaged }
        let isInFile = method & 15 == 0
        let baseField = bytes.offset(of: reader.rest)
        guard let base = reader.number(layout.base) else { throw Self.damaged }
        let movesBase = isInFile && base >= place
        if movesBase { try replace(baseField, layout.base, base, by: growth, &changes) }
        // Extents without fields are all the same, the whole file.
        guard let extents = reader.number(2), extents <= 1 || layout.extentLength > 0 else {
            throw Self.damaged
        }
        for _ in 0..<extents {
            guard reader.number(layout.index) != nil else { throw Self.damaged }
            let field = bytes.offset(of: reader.rest)
            guard let offset = reader.number(layout.offset), reader.number(layout.length) != nil
            else { throw Self.damaged }
            let (absolute, isTooFar) = base.addingReportingOverflow(offset)
            guard !isTooFar else { throw Self.damaged }
            if isInFile, !movesBase, absolute >= place {
                try replace(field, layout.offset, offset, by: growth, &changes)
            }
        }
    }

    private func replace(
        _ field: Int, _ size: Int, _ old: Int, by growth: Int, _ changes: inout ByteChanges
    ) throws(EditFailure) {
        let (value, isTooFar) = old.addingReportingOverflow(growth)
        guard !isTooFar, size > 0, value >= 0, size == 8 || value >> (size * 8) == 0 else {
            throw .refused(localized("the file has no room for the places of its items"))
        }
        changes.replace(field..<(field + size), with: bigEndian(value, size))
    }
}
