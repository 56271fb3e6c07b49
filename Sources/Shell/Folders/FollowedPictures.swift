/// The pictures that a person sees or sees next, by the ids of their entries.
///
/// Where the system does not tell when their files change, the files are compared first and most often.
package struct FollowedPictures: Hashable, Sendable {
    /// The most important first.
    package var ids: [Int]
    /// The revisions of the pictures that could not be shown, or not whole.
    package var damaged: [Int: Int]

    package init(_ ids: [Int] = [], damaged: [Int: Int] = [:]) {
        (self.ids, self.damaged) = (ids, damaged)
    }
}
