"""Draws small maps in OpenStreetMap's XML, in metres from a corner."""

import math
from xml.sax.saxutils import quoteattr


class Drawing:
    """Nodes by name at metres east and north of a place; ways over them; relations."""

    def __init__(self, lat=47.0, lon=9.0):
        self.lat, self.lon = lat, lon
        self.nodes, self.ways, self.relations = {}, [], []

    def place(self, east, north):
        """The place (lat_deg, lon_deg) so many metres east and north of the corner."""
        return self.lat + north / 111_195, self.lon + east / (111_195 * math.cos(math.radians(self.lat)))

    def node(self, key, east, north, **tags):
        self.nodes[key] = (len(self.nodes) + 1, *self.place(east, north), tags)
        return self.nodes[key][1:3]

    def at(self, key):
        return self.nodes[key][1:3]

    def way(self, names, **tags):
        """A way over nodes, named with spaces between; returns its id."""
        self.ways.append((len(self.ways) + 1, [self.nodes[name][0] for name in names.split()], tags))
        return len(self.ways)

    def road(self, names, highway="residential", **tags):
        return self.way(names, highway=highway, **tags)

    def relation(self, members, **tags):
        """`members` are (type, name of a node or id of a way, role)."""
        self.relations.append((len(self.relations) + 1, members, tags))

    def area(self, key, west, south, east, north, **tags):
        """A boundary around a box of metres."""
        corners = [(west, south), (east, south), (east, north), (west, north)]
        for number, corner in enumerate(corners):
            self.node(f"{key}{number}", *corner)
        ring = " ".join(f"{key}{number}" for number in (0, 1, 2, 3, 0))
        self.way(ring, boundary="administrative", **tags)

    def write(self, path):
        lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<osm version="0.6">']
        for number, lat, lon, tags in self.nodes.values():
            lines += [f'<node id="{number}" version="1" lat="{lat:.7f}" lon="{lon:.7f}">', *_tags(tags), "</node>"]
        for number, nodes, tags in self.ways:
            lines += [f'<way id="{number}" version="1">', *[f'<nd ref="{node}"/>' for node in nodes], *_tags(tags), "</way>"]
        for number, members, tags in self.relations:
            lines.append(f'<relation id="{number}" version="1">')
            for kind, member, role in members:
                ref = self.nodes[member][0] if kind == "node" else member
                lines.append(f'<member type="{kind}" ref="{ref}" role={quoteattr(role)}/>')
            lines += [*_tags(tags), "</relation>"]
        path.write_text("\n".join(lines + ["</osm>", ""]), encoding="utf-8")
        return path


def _tags(tags):
    return [f"<tag k={quoteattr(key)} v={quoteattr(str(value))}/>" for key, value in tags.items()]
