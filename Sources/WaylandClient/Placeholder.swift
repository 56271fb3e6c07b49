// WaylandClient: to be filled.
