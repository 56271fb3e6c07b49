// WaylandProtocol: to be filled.
