/// The globals of a compositor by name, each with its version.
package struct OfferedGlobals: Hashable, Sendable {
    package private(set) var versions: [String: UInt32]

    package init(_ versions: [String: UInt32]) {
        self.versions = versions
    }

    /// The version of a global, or nil if it is not offered.
    package subscript(name: String) -> UInt32? { versions[name] }

    /// The offer without these globals.
    package func without(_ names: String...) -> OfferedGlobals {
        OfferedGlobals(versions.filter { !names.contains($0.key) })
    }

    /// The offer with one global in another version.
    package func with(_ name: String, version: UInt32) -> OfferedGlobals {
        var offer = self
        offer.versions[name] = version
        return offer
    }
}

// MARK: Observed compositors

extension OfferedGlobals {
    /// All globals of the test compositor, in the newest supported versions.
    package static let everything = OfferedGlobals([
        "wl_compositor": 6, "wl_shm": 1, "xdg_wm_base": 7, "wl_seat": 10, "wl_output": 4,
        "wp_viewporter": 1, "wp_fractional_scale_manager_v1": 1, "wp_presentation": 2,
        "zxdg_decoration_manager_v1": 1, "zwp_pointer_gestures_v1": 3, "zwp_tablet_manager_v2": 1,
        "wp_cursor_shape_manager_v1": 2, "zwp_input_timestamps_manager_v1": 1,
        "zwp_text_input_manager_v3": 2, "wp_content_type_manager_v1": 1,
        "xdg_toplevel_tag_manager_v1": 1, "xdg_session_manager_v1": 1,
        "wl_subcompositor": 1, "xdg_activation_v1": 1, "xdg_toplevel_icon_manager_v1": 1,
        "zxdg_exporter_v2": 1, "zwp_idle_inhibit_manager_v1": 1,
        "zwp_keyboard_shortcuts_inhibit_manager_v1": 1, "zwlr_output_power_manager_v1": 1,
        "ext_idle_notifier_v1": 2, "wl_data_device_manager": 3,
        "zwp_primary_selection_device_manager_v1": 1,
    ])

    /// The globals that every client needs, in the oldest versions with damage in buffer pixels.
    package static let least = OfferedGlobals(["wl_compositor": 4, "wl_shm": 1, "xdg_wm_base": 1])

    package static let sway1_7 = OfferedGlobals([
        "wl_compositor": 4, "wl_shm": 1, "xdg_wm_base": 2, "wl_seat": 7, "wl_output": 4,
        "wp_viewporter": 1, "wp_presentation": 1, "zxdg_decoration_manager_v1": 1,
        "zwp_pointer_gestures_v1": 3, "zwp_text_input_manager_v3": 1, "zwp_tablet_manager_v2": 1,
        "wl_subcompositor": 1, "xdg_activation_v1": 1, "zxdg_exporter_v2": 1,
    ])

    package static let mutter43 = OfferedGlobals([
        "wl_compositor": 5, "wl_shm": 1, "xdg_wm_base": 4, "wl_seat": 8, "wl_output": 3,
        "wp_viewporter": 1, "wp_presentation": 1, "zwp_pointer_gestures_v1": 3,
        "zwp_text_input_manager_v3": 1, "zwp_tablet_manager_v2": 1,
        "wl_subcompositor": 1, "xdg_activation_v1": 1, "zxdg_exporter_v2": 1,
    ])

    package static let weston10 = OfferedGlobals([
        "wl_compositor": 4, "wl_shm": 1, "xdg_wm_base": 3, "wl_output": 3, "wp_viewporter": 1,
        "wp_presentation": 1, "zwp_input_timestamps_manager_v1": 1, "wl_subcompositor": 1,
    ])

    package static let cage0_1 = OfferedGlobals([
        "wl_compositor": 4, "wl_shm": 1, "xdg_wm_base": 2, "wl_seat": 7, "wl_output": 4,
        "zxdg_decoration_manager_v1": 1, "wl_subcompositor": 1,
    ])
}
