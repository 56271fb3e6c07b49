/// The interface `org.freedesktop.Application`: names and types.
///
/// Source: Desktop Entry Specification 1.5, "D-Bus Activation".
package enum ApplicationInterface {
    /// The name of the program on the bus, of its desktop entry, and of its windows (`app_id`).
    package static let identifier = "io.github.vitrine_viewer.Vitrine"
    static let path = "/io/github/vitrine_viewer/Vitrine"
    static let name = "org.freedesktop.Application"

    static let xml = """
        <node>
          <interface name="org.freedesktop.Application">
            <method name="Activate"><arg type="a{sv}" direction="in"/></method>
            <method name="Open">
              <arg type="as" direction="in"/><arg type="a{sv}" direction="in"/>
            </method>
            <method name="ActivateAction">
              <arg type="s" direction="in"/><arg type="av" direction="in"/>
              <arg type="a{sv}" direction="in"/>
            </method>
          </interface>
        </node>
        """
}
