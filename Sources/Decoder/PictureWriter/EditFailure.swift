package import ImageTypes

/// Why a picture file is not changed.
package enum EditFailure: Error, Hashable {
    /// The file, or the request, is of a kind that cannot be written; the text says why, for a person.
    case refused(String)
    /// The file cannot be read.
    case failed(DecodeFailure)
}

/// Runs `body`, whose failure becomes one of the edit.
func decoding<Result>(_ body: () throws(DecodeFailure) -> Result) throws(EditFailure) -> Result {
    do throws(DecodeFailure) {
        return try body()
    } catch { throw .failed(error) }
}
