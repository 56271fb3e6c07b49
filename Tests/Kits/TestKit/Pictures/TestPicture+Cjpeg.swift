import Geometry

extension TestPicture {
    /// Encodes a JPEG by `cjpeg`, which has options beyond the library's interface.
    ///
    /// Returns nil if `cjpeg` fails.
    package func jpeg(
        by options: [String], quality: Int = 90, in folder: TemporaryFolder
    ) -> [UInt8]? {
        let header = Array("P6\n\(size.width) \(size.height)\n255\n".utf8)
        let source = folder.file("source.ppm", header + pixels)
        let result = ChildProcess.run(
            ["/usr/bin/cjpeg", "-quality", "\(quality)", "-outfile", folder / "out.jpg"] + options
                + [source])
        return result.status == 0 ? TestFile.read(folder / "out.jpg") : nil
    }
}
