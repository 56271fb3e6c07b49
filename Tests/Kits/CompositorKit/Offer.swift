/// What a compositor offers: its globals by name, each with the version that it speaks.
package struct Offer: Hashable, Sendable {
    package private(set) var versions: [String: UInt32]

    package init(_ versions: [String: UInt32]) {
        self.versions = versions
    }

    /// The version of a global; nil where it is not offered.
    package subscript(name: String) -> UInt32? { versions[name] }

    /// The offer without these globals.
    package func without(_ names: String...) -> Offer {
        Offer(versions.filter { !names.contains($0.key) })
    }

    /// The offer with one global in another version.
    package func with(_ name: String, version: UInt32) -> Offer {
        var offer = self
        offer.versions[name] = version
        return offer
    }
}

// MARK: Compositors, as they were observed

extension Offer {
    /// Everything that the test compositor can do, in the newest version that it knows.
    package static let everything = Offer([
        "wl_compositor": 6, "wl_shm": 1, "xdg_wm_base": 6, "wl_seat": 8, "wl_output": 4,
        "wp_viewporter": 1, "wp_fractional_scale_manager_v1": 1, "wp_presentation": 1,
        "zxdg_decoration_manager_v1": 1, "zwp_pointer_gestures_v1": 3,
        "wp_cursor_shape_manager_v1": 1, "zwp_input_timestamps_manager_v1": 1,
    ])

    /// What no client can do without, in the oldest version that is enough for damage in pixels.
    package static let least = Offer(["wl_compositor": 4, "wl_shm": 1, "xdg_wm_base": 1])

    package static let sway1_7 = Offer([
        "wl_compositor": 4, "wl_shm": 1, "xdg_wm_base": 2, "wl_seat": 7, "wl_output": 4,
        "wp_viewporter": 1, "wp_presentation": 1, "zxdg_decoration_manager_v1": 1,
        "zwp_pointer_gestures_v1": 3,
    ])

    package static let mutter43 = Offer([
        "wl_compositor": 5, "wl_shm": 1, "xdg_wm_base": 4, "wl_seat": 8, "wl_output": 3,
        "wp_viewporter": 1, "wp_presentation": 1, "zwp_pointer_gestures_v1": 3,
    ])

    package static let weston10 = Offer([
        "wl_compositor": 4, "wl_shm": 1, "xdg_wm_base": 3, "wl_output": 3, "wp_viewporter": 1,
        "wp_presentation": 1, "zwp_input_timestamps_manager_v1": 1,
    ])

    package static let cage0_1 = Offer([
        "wl_compositor": 4, "wl_shm": 1, "xdg_wm_base": 2, "wl_seat": 7, "wl_output": 4,
        "zxdg_decoration_manager_v1": 1,
    ])
}
