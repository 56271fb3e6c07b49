// WaylandTests
