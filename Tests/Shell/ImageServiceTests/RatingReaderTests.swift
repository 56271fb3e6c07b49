import ImageService
import Testing

struct RatingReaderTests {
    /// Requests that come while a picture is being read change nothing about its stars.
    @Test func requestsBetweenHeaderAndEndKeepTheStars() throws {
        let stage = try ProviderStage(decoder: "decoder")
        stage.write(1, Array("HOSTILE rests".utf8))
        let reader = RatingReader(stage.environment, files: stage.files)
        var reports: [[Int: Int]] = []
        reader.onRatings = { reports.append($0) }
        reader.read([1])
        #expect(
            stage.run {
                if reader.isBusy { reader.read([1]) }
                return !reader.isBusy
            })
        #expect(reports == [[1: 4]])
    }
}
