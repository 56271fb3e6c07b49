import TestKit

/// Reads PNGs of 8 bits per sample by a Python script, which checks every checksum and length.
struct PNGCheck {
    /// The names of all chunks, in their order.
    let chunks: [String]
    /// The samples of all pixels, without filters.
    let samples: [UInt8]

    /// The chunks of texts in a thumbnail of the cache.
    static let texts = [String](repeating: "tEXt", count: 6)

    /// Nil for a file that is not valid.
    init?(_ file: [UInt8]) {
        let folder = TemporaryFolder()
        let check = ChildProcess.run(
            ["/usr/bin/python3", "-c", Self.script, folder.file("x.png", file)])
        let lines = check.output.split(separator: "\n", omittingEmptySubsequences: false)
        guard check.status == 0, lines.count >= 2 else { return nil }
        chunks = lines[0].split(separator: " ").map(String.init)
        samples = lines[1].split(separator: " ").compactMap { UInt8($0) }
    }

    private static let script = """
        import sys, zlib, struct
        data = open(sys.argv[1], 'rb').read()
        assert data[:8] == bytes([137, 80, 78, 71, 13, 10, 26, 10])
        at, pixels, header, kind, names = 8, b'', None, None, []
        while at < len(data):
            length, = struct.unpack('>I', data[at:at + 4])
            kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + length]
            crc, = struct.unpack('>I', data[at + 8 + length:at + 12 + length])
            assert crc == zlib.crc32(kind + body), kind
            if kind == b'IHDR': header = struct.unpack('>IIBBBBB', body)
            if kind == b'IDAT': pixels += body
            names.append(kind.decode())
            at += 12 + length
        assert kind == b'IEND' and at == len(data)
        step = {2: 3, 6: 4}[header[3]]
        inflater = zlib.decompressobj()
        raw = inflater.decompress(pixels)
        assert inflater.eof and not inflater.unused_data
        length = header[0] * step
        assert len(raw) == header[1] * (1 + length)
        above, samples = [0] * (step + length), []
        for y in range(header[1]):
            start = y * (1 + length)
            kind, row = raw[start], [0] * step
            assert kind in (0, 3)
            for x, byte in enumerate(raw[start + 1:start + 1 + length]):
                mean = (row[x] + above[x + step]) // 2 if kind == 3 else 0
                row.append((byte + mean) % 256)
            samples += row[step:]
            above = row
        print(*names)
        print(*samples)
        """
}
