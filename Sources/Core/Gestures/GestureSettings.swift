import Geometry

/// Every number that decides what a touch means.
///
/// Lengths are logical pixels, durations milliseconds, angles radians. Where a platform publishes
/// its own value, it is named; the others were found by trying.
package struct GestureSettings: Hashable, Sendable {
    /// How far a finger may stray before it drags; Android 8, Chromium 15.
    package var slop = 10.0
    /// A contact longer than this is a palm: 2 cm at 96 px an inch.
    package var palmSize = 75.0
    /// A second contact that stays for no longer than this in its place, beside a finger that drags,
    /// has only brushed the screen.
    package var brushDuration = 80.0
    /// How much two fingers may spread or close before they pinch: twice Android's slop.
    package var spanSlop = 16.0
    /// Spans below this count as this: contacts that merge must not make the scale explode.
    package var minimumSpan = 40.0
    /// How far fingers must turn before the picture turns with them; as in Loupe, 15°.
    package var rotationLock = 15.0 * .pi / 180

    /// The longest pause from a tap's up to the next down of a double tap; Android's.
    package var doubleTapWindow = 300.0
    /// The farthest that the two taps of a double tap may lie apart.
    package var doubleTapDistance = 48.0
    /// A shorter pause is a contact that bounced, not a second tap; Android's.
    package var doubleTapGap = 40.0
    /// After this, a finger that lies still is a long press; GTK's and UIKit's.
    package var longPressDelay = 500.0
    /// From the first down to the last up of a two-finger tap.
    package var twoFingerTapDuration = 500.0
    /// Between the fingers of a two-finger tap; Chromium's.
    package var twoFingerTapSeparation = 300.0

    /// A slower release, in px/s, is no throw; Android's.
    package var minimumFlingSpeed = 50.0
    /// How long the last finger of a pinch may stay and still end it: fingers lift up to 90 ms apart.
    package var loneFingerDelay = 100.0
    /// The fastest zoom that a pinch is believed to have, as d(ln scale)/dt per second.
    package var maximumZoomRate = 20.0
    /// The fastest turn that fingers are believed to have, in radians per second.
    package var maximumRotationRate = 20.0

    /// ω of what follows a touchpad's pinch, in rad/s: smooth in spite of its steps of 1/256.
    package var pinchFollowFrequency = 60.0
    /// A touchpad pinch that begins this soon after another goes on with it: with another number of
    /// fingers it has to begin anew.
    package var pinchJoinDelay = 150.0

    /// How long after one axis of a touchpad scroll has stopped the other one is waited for.
    package var axisStopPatience = 40.0
    /// After this pause a continuous scroll, which has no end of its own, is over.
    package var continuousScrollPause = 100.0

    package init() {}

    /// The velocity of a release, or none at all where it is too slow for a throw.
    func thrown(_ velocity: Vector) -> Vector {
        velocity.length < minimumFlingSpeed ? .zero : velocity
    }

    /// The speeds of a release, without a velocity that is too slow for a throw.
    func thrown(_ speeds: Kinetics.Speeds) -> Kinetics.Speeds {
        var speeds = speeds
        speeds.velocity = thrown(speeds.velocity)
        return speeds
    }
}
