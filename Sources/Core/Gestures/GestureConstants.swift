import Geometry

/// All parameters of gesture recognition.
///
/// Lengths are logical pixels, durations milliseconds, angles radians. Where a value is published
/// by a platform, the platform is named; the other values were found by experiment.
package struct GestureConstants: Hashable, Sendable {
    /// How far a finger may move before it drags; Android uses 8, Chromium 15.
    package var slop = 10.0
    /// A contact with a longer axis is a palm: 2 cm at 96 px per inch.
    package var palmSize = 75.0
    /// A contact that stays in place for at most this long, beside a finger that drags, has only
    /// brushed the screen.
    package var brushDuration = 80.0
    /// How much the span of two fingers may change before they pinch: twice Android's slop.
    package var spanSlop = 16.0
    /// The smallest span that is used: contacts that merge must not make the scale explode.
    package var minimumSpan = 40.0
    /// How far fingers must rotate before the picture rotates with them; 15°, as in Loupe.
    package var rotationLock = 15.0 * .pi / 180
    /// The same where fingers straighten a picture, for which smaller angles matter.
    package var straighteningLock = 4.0 * .pi / 180

    /// The longest pause from a tap's up to the next down of a double tap; Android's.
    package var doubleTapWindow = 300.0
    /// The largest distance between the two taps of a double tap.
    package var doubleTapDistance = 48.0
    /// After a shorter pause a second contact is a bounce of the first, not a second tap;
    /// Android's.
    package var doubleTapGap = 40.0
    /// After this delay a finger at rest is a long press; GTK's and UIKit's.
    package var longPressDelay = 500.0
    /// A mouse button that stayed in place for at least this long drags the content out of the window.
    package var dragOutDelay = 300.0
    /// The longest time from the first down to the last up of a two-finger tap.
    package var twoFingerTapDuration = 500.0
    /// The largest distance between the fingers of a two-finger tap; Chromium's.
    package var twoFingerTapSeparation = 300.0

    /// A release slower than this, in px/s, is not a fling; Android's.
    package var minimumFlingSpeed = 50.0
    /// How long the last finger of a pinch may stay down and still lift with the others: fingers
    /// lift up to 90 ms apart.
    package var loneFingerDelay = 100.0
    /// The largest plausible zoom rate of a pinch, d(ln scale)/dt, per second.
    package var maximumZoomRate = 20.0
    /// The largest plausible rotation rate, in radians per second.
    package var maximumRotationRate = 20.0

    /// ω, in rad/s, of the spring that smooths the scale of a touchpad pinch, which comes in steps
    /// of 1/256.
    package var pinchFollowFrequency = 60.0
    /// A touchpad pinch that begins this soon after another one continues that one: the driver
    /// begins a new pinch when the number of fingers changes.
    package var pinchJoinDelay = 150.0

    /// How long to wait for the other axis after one axis of a touchpad scroll has stopped.
    package var axisStopPatience = 40.0
    /// A continuous scroll, which has no end event, is over after this pause.
    package var continuousScrollPause = 100.0
    /// A finger scroll is over after this pause if the device has not sent a stop yet.
    package var unendedScrollPause = 1000.0
    /// The same after such a scroll without a stop: Mir and remote desktops never send stops.
    package var stoplessScrollPause = 300.0
    /// The same for a device that sends stops: fingers may rest on it.
    package var restingScrollPause = 3000.0
    /// A touchpad pinch without updates is over after this pause, and goes on with the next update.
    package var restingPinchPause = 3000.0
    /// Contacts that hold the content are cancelled after this time without any event: a lift may have
    /// been lost.
    package var longestRest = 60_000.0
    /// The pixels per detent of a wheel without detents, as in GNOME.
    package var wheelPixels = 10.0

    package init() {}

    /// `velocity`, or zero if it is too slow for a fling.
    func thrown(_ velocity: Vector) -> Vector {
        velocity.length < minimumFlingSpeed ? .zero : velocity
    }

    /// `speeds`, without a velocity that is too slow for a fling.
    func thrown(_ speeds: Kinetics.Speeds) -> Kinetics.Speeds {
        var speeds = speeds
        speeds.velocity = thrown(speeds.velocity)
        return speeds
    }
}
