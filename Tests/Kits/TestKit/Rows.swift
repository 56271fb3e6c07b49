/// Whether two pictures have the same rows.
///
/// This module is optimised, so that the comparison takes microseconds; in a module of tests `==` of
/// arrays takes as long as a decode.
package func areSame(_ rows: [[UInt8]], _ others: [[UInt8]]?) -> Bool { rows == others }
