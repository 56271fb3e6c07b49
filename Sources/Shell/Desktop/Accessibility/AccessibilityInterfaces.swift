/// The interfaces of AT-SPI 2 that the viewer offers: names, and types in the XML of D-Bus.
///
/// Documentation: https://gitlab.gnome.org/GNOME/at-spi2-core/-/tree/main/xml
enum AccessibilityInterface: String, CaseIterable {
    case accessible = "Accessible"
    case application = "Application"
    case component = "Component"
    case action = "Action"
    case value = "Value"
    case text = "Text"
    case editableText = "EditableText"
    case selection = "Selection"

    private static let prefix = "org.a11y.atspi."

    var name: String { Self.prefix + rawValue }

    init?(name: String) {
        guard name.hasPrefix(Self.prefix) else { return nil }
        self.init(rawValue: String(name.dropFirst(Self.prefix.count)))
    }

    static let cache = "org.a11y.atspi.Cache"
    static let objectEvents = "org.a11y.atspi.Event.Object"
    static let windowEvents = "org.a11y.atspi.Event.Window"

    /// The folder of the objects.
    static let folder = "/org/a11y/atspi/accessible"
    static let rootPath = folder + "/root"
    /// The folder of the object "cache".
    static let cacheFolder = "/org/a11y/atspi"
    static let nullPath = "/org/a11y/atspi/null"

    static let xml = """
        <node>
          <interface name="org.a11y.atspi.Accessible">
            <property name="Name" type="s" access="read"/>
            <property name="Description" type="s" access="read"/>
            <property name="Parent" type="(so)" access="read"/>
            <property name="ChildCount" type="i" access="read"/>
            <property name="Locale" type="s" access="read"/>
            <property name="AccessibleId" type="s" access="read"/>
            <method name="GetChildAtIndex">
              <arg type="i" direction="in"/><arg type="(so)" direction="out"/>
            </method>
            <method name="GetChildren"><arg type="a(so)" direction="out"/></method>
            <method name="GetIndexInParent"><arg type="i" direction="out"/></method>
            <method name="GetRelationSet"><arg type="a(ua(so))" direction="out"/></method>
            <method name="GetRole"><arg type="u" direction="out"/></method>
            <method name="GetRoleName"><arg type="s" direction="out"/></method>
            <method name="GetLocalizedRoleName"><arg type="s" direction="out"/></method>
            <method name="GetState"><arg type="au" direction="out"/></method>
            <method name="GetAttributes"><arg type="a{ss}" direction="out"/></method>
            <method name="GetApplication"><arg type="(so)" direction="out"/></method>
            <method name="GetInterfaces"><arg type="as" direction="out"/></method>
          </interface>
          <interface name="org.a11y.atspi.Application">
            <property name="ToolkitName" type="s" access="read"/>
            <property name="Version" type="s" access="read"/>
            <property name="AtspiVersion" type="s" access="read"/>
            <property name="Id" type="i" access="readwrite"/>
            <method name="GetLocale">
              <arg type="u" direction="in"/><arg type="s" direction="out"/>
            </method>
          </interface>
          <interface name="org.a11y.atspi.Component">
            <method name="Contains">
              <arg type="i" direction="in"/><arg type="i" direction="in"/>
              <arg type="u" direction="in"/><arg type="b" direction="out"/>
            </method>
            <method name="GetAccessibleAtPoint">
              <arg type="i" direction="in"/><arg type="i" direction="in"/>
              <arg type="u" direction="in"/><arg type="(so)" direction="out"/>
            </method>
            <method name="GetExtents">
              <arg type="u" direction="in"/><arg type="(iiii)" direction="out"/>
            </method>
            <method name="GetPosition">
              <arg type="u" direction="in"/>
              <arg type="i" direction="out"/><arg type="i" direction="out"/>
            </method>
            <method name="GetSize">
              <arg type="i" direction="out"/><arg type="i" direction="out"/>
            </method>
            <method name="GetLayer"><arg type="u" direction="out"/></method>
            <method name="GetAlpha"><arg type="d" direction="out"/></method>
            <method name="GrabFocus"><arg type="b" direction="out"/></method>
          </interface>
          <interface name="org.a11y.atspi.Action">
            <property name="NActions" type="i" access="read"/>
            <method name="GetName">
              <arg type="i" direction="in"/><arg type="s" direction="out"/>
            </method>
            <method name="GetLocalizedName">
              <arg type="i" direction="in"/><arg type="s" direction="out"/>
            </method>
            <method name="GetDescription">
              <arg type="i" direction="in"/><arg type="s" direction="out"/>
            </method>
            <method name="GetKeyBinding">
              <arg type="i" direction="in"/><arg type="s" direction="out"/>
            </method>
            <method name="GetActions"><arg type="a(sss)" direction="out"/></method>
            <method name="DoAction">
              <arg type="i" direction="in"/><arg type="b" direction="out"/>
            </method>
          </interface>
          <interface name="org.a11y.atspi.Value">
            <property name="MinimumValue" type="d" access="read"/>
            <property name="MaximumValue" type="d" access="read"/>
            <property name="MinimumIncrement" type="d" access="read"/>
            <property name="CurrentValue" type="d" access="readwrite"/>
            <property name="Text" type="s" access="read"/>
          </interface>
          <interface name="org.a11y.atspi.Text">
            <property name="CharacterCount" type="i" access="read"/>
            <property name="CaretOffset" type="i" access="read"/>
            <method name="GetText">
              <arg type="i" direction="in"/><arg type="i" direction="in"/>
              <arg type="s" direction="out"/>
            </method>
            <method name="GetStringAtOffset">
              <arg type="i" direction="in"/><arg type="u" direction="in"/>
              <arg type="s" direction="out"/><arg type="i" direction="out"/>
              <arg type="i" direction="out"/>
            </method>
            <method name="GetCharacterAtOffset">
              <arg type="i" direction="in"/><arg type="i" direction="out"/>
            </method>
            <method name="SetCaretOffset">
              <arg type="i" direction="in"/><arg type="b" direction="out"/>
            </method>
            <method name="GetTextAtOffset">
              <arg type="i" direction="in"/><arg type="u" direction="in"/>
              <arg type="s" direction="out"/><arg type="i" direction="out"/>
              <arg type="i" direction="out"/>
            </method>
            <method name="GetNSelections"><arg type="i" direction="out"/></method>
            <method name="GetSelection">
              <arg type="i" direction="in"/>
              <arg type="i" direction="out"/><arg type="i" direction="out"/>
            </method>
            <method name="AddSelection">
              <arg type="i" direction="in"/><arg type="i" direction="in"/>
              <arg type="b" direction="out"/>
            </method>
            <method name="RemoveSelection">
              <arg type="i" direction="in"/><arg type="b" direction="out"/>
            </method>
            <method name="SetSelection">
              <arg type="i" direction="in"/><arg type="i" direction="in"/>
              <arg type="i" direction="in"/><arg type="b" direction="out"/>
            </method>
          </interface>
          <interface name="org.a11y.atspi.Selection">
            <property name="NSelectedChildren" type="i" access="read"/>
            <method name="GetSelectedChild">
              <arg type="i" direction="in"/><arg type="(so)" direction="out"/>
            </method>
            <method name="SelectChild">
              <arg type="i" direction="in"/><arg type="b" direction="out"/>
            </method>
            <method name="DeselectSelectedChild">
              <arg type="i" direction="in"/><arg type="b" direction="out"/>
            </method>
            <method name="DeselectChild">
              <arg type="i" direction="in"/><arg type="b" direction="out"/>
            </method>
            <method name="IsChildSelected">
              <arg type="i" direction="in"/><arg type="b" direction="out"/>
            </method>
            <method name="SelectAll"><arg type="b" direction="out"/></method>
            <method name="ClearSelection"><arg type="b" direction="out"/></method>
          </interface>
          <interface name="org.a11y.atspi.EditableText">
            <method name="SetTextContents">
              <arg type="s" direction="in"/><arg type="b" direction="out"/>
            </method>
            <method name="InsertText">
              <arg type="i" direction="in"/><arg type="s" direction="in"/>
              <arg type="i" direction="in"/><arg type="b" direction="out"/>
            </method>
            <method name="DeleteText">
              <arg type="i" direction="in"/><arg type="i" direction="in"/>
              <arg type="b" direction="out"/>
            </method>
          </interface>
        </node>
        """

    static let cacheXML = """
        <node>
          <interface name="org.a11y.atspi.Cache">
            <method name="GetItems">
              <arg type="a((so)(so)(so)iiassusau)" direction="out"/>
            </method>
          </interface>
        </node>
        """
}
