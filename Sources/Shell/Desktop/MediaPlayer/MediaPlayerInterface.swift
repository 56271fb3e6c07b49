/// The interfaces of MPRIS 2.2 (Media Player Remote Interfacing Specification): names, types, and values.
///
/// Documentation: https://specifications.freedesktop.org/mpris-spec/2.2/
enum MediaPlayerInterface {
    static let path = "/org/mpris/MediaPlayer2"
    static let name = "org.mpris.MediaPlayer2.vitrine"
    static let root = "org.mpris.MediaPlayer2"
    static let player = "org.mpris.MediaPlayer2.Player"
    /// The path of a picture is this and its number.
    private static let trackPath = "/org/vitrine/picture/"
    private static let noTrack = "/org/mpris/MediaPlayer2/TrackList/NoTrack"

    static let xml = """
        <node>
          <interface name="org.mpris.MediaPlayer2">
            <method name="Raise"/>
            <method name="Quit"/>
            <property name="CanQuit" type="b" access="read"/>
            <property name="CanRaise" type="b" access="read"/>
            <property name="HasTrackList" type="b" access="read"/>
            <property name="Identity" type="s" access="read"/>
            <property name="DesktopEntry" type="s" access="read"/>
            <property name="SupportedUriSchemes" type="as" access="read"/>
            <property name="SupportedMimeTypes" type="as" access="read"/>
          </interface>
          <interface name="org.mpris.MediaPlayer2.Player">
            <method name="Next"/>
            <method name="Previous"/>
            <method name="Pause"/>
            <method name="PlayPause"/>
            <method name="Stop"/>
            <method name="Play"/>
            <method name="Seek"><arg name="Offset" type="x" direction="in"/></method>
            <method name="SetPosition">
              <arg name="TrackId" type="o" direction="in"/>
              <arg name="Position" type="x" direction="in"/>
            </method>
            <method name="OpenUri"><arg name="Uri" type="s" direction="in"/></method>
            <signal name="Seeked"><arg name="Position" type="x"/></signal>
            <property name="PlaybackStatus" type="s" access="read"/>
            <property name="Rate" type="d" access="readwrite"/>
            <property name="Shuffle" type="b" access="readwrite"/>
            <property name="Metadata" type="a{sv}" access="read"/>
            <property name="Volume" type="d" access="readwrite"/>
            <property name="Position" type="x" access="read"/>
            <property name="MinimumRate" type="d" access="read"/>
            <property name="MaximumRate" type="d" access="read"/>
            <property name="CanGoNext" type="b" access="read"/>
            <property name="CanGoPrevious" type="b" access="read"/>
            <property name="CanPlay" type="b" access="read"/>
            <property name="CanPause" type="b" access="read"/>
            <property name="CanSeek" type="b" access="read"/>
            <property name="CanControl" type="b" access="read"/>
          </interface>
        </node>
        """

    /// The properties of the program.
    static func root(of state: MediaPlayerState) -> [String: BusValue] {
        [
            "CanQuit": .bool(state.canQuit),
            // A window of Wayland cannot raise itself.
            "CanRaise": .bool(false),
            "HasTrackList": .bool(false),
            "Identity": .text("Vitrine"),
            "DesktopEntry": .text(ApplicationInterface.identifier),
            // `OpenUri` does nothing: a program that plays is no way to open files.
            "SupportedUriSchemes": .array([], of: "s"),
            "SupportedMimeTypes": .array([], of: "s"),
        ]
    }

    /// The properties of the player but its position; `art` is the URI of a thumbnail, nil without one.
    static func player(of state: MediaPlayerState, art: String?) -> [String: BusValue] {
        [
            "PlaybackStatus": .text(state.status.rawValue),
            "Rate": .double(1), "MinimumRate": .double(1), "MaximumRate": .double(1),
            "Volume": .double(1),
            "Shuffle": .bool(state.isShuffled),
            "Metadata": metadata(of: state.track, art: art),
            "CanGoNext": .bool(state.canTurn), "CanGoPrevious": .bool(state.canTurn),
            "CanPlay": .bool(state.canPlay), "CanPause": .bool(state.canPlay),
            "CanSeek": .bool(false), "CanControl": .bool(true),
        ]
    }

    private static func metadata(of track: MediaPlayerState.Track?, art: String?) -> BusValue {
        guard let track else { return .options(["mpris:trackid": .path(noTrack)]) }
        let length = Int((track.seconds * 1_000_000).rounded())
        var members: [(String, BusValue)] = [
            ("mpris:trackid", .path(trackPath + "\(track.number)")),
            ("mpris:length", .integer(length)), ("xesam:title", .text(track.title)),
            ("xesam:url", .text(track.uri)),
        ]
        if let art { members.append(("mpris:artUrl", .text(art))) }
        return .array(members.map { .entry(.text($0.0), .variant($0.1)) }, of: "{sv}")
    }

    /// The command of a call; nil for calls that do nothing here.
    static func command(_ method: String) -> MediaCommand? {
        switch method {
        case "Play": .play
        case "Pause": .pause
        case "PlayPause": .playPause
        case "Stop": .stop
        case "Next": .next
        case "Previous": .previous
        case "Quit": .quit
        default: nil
        }
    }
}
