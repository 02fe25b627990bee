"""A motorway with an exit, drawn near Würzburg, and a drive that takes the exit."""

import math

from drawn_drive import Drive, Roads, distance_m

#: Where the motorway begins; Germany by the built-in table of countries.
ORIGIN = (49.8, 10.0)
EXIT_Y = 900
SIGNPOST = {"exit_number": "13", "exit_name": "", "destinations": ["Würzburg", "Kitzingen"], "road_numbers": ["B 8", "B 19"]}


def at(x, y):
    """The place `x` metres east and `y` metres north of the origin."""
    lat = ORIGIN[0] + y / 111195
    return lat, ORIGIN[1] + x / (111195 * math.cos(math.radians(ORIGIN[0])))


def way(tags, *points):
    return tags, points


MOTORWAY = {"highway": "motorway", "ref": "E 45;A 7", "oneway": "yes", "lanes": "3"}
LINK = {"highway": "motorway_link", "oneway": "yes"}
ROAD = {"highway": "primary", "ref": "B 8", "name": "Mainbrücke"}
WAYS = [
    way(MOTORWAY, (0, 0), (0, 300), (0, 600), (0, EXIT_Y), (-3, 1100), (-10, 1300), (-30, 1600), (-80, 2000)),
    way(MOTORWAY, (-105, 2000), (-55, 1600), (-34, 1300), (-27, 1100), (-24, EXIT_Y), (-24, 600), (-24, 0)),
    way(LINK, (0, EXIT_Y), (6, 960), (16, 1020), (34, 1080), (62, 1130), (100, 1165), (140, 1182)),
    way(LINK, (140, 1182), (110, 1230), (60, 1290), (12, 1400), (-19, 1480)),
    way(ROAD, (140, 1182), (300, 1190), (700, 1180)),
    way({**ROAD, "bridge": "yes", "layer": "1"}, (140, 1182), (0, 1178), (-90, 1176)),
    way(ROAD, (-90, 1176), (-400, 1170), (-900, 1190)),
    way({"highway": "residential", "name": "Weinbergweg"}, (300, 1190), (310, 1000), (250, 800), (180, 500)),
    way({"highway": "tertiary", "ref": "K 12", "name": "Dorfstraße"}, (-300, 300), (-100, 420), (-24, 450)),
]


def write(path):
    """Writes the map as OSM XML."""
    numbers, nodes, ways = {}, [], []
    for tags, points in WAYS:
        for point in points:
            if point not in numbers:
                numbers[point] = len(numbers) + 1
                lat, lon = at(*point)
                nodes.append(f'<node id="{numbers[point]}" version="1" lat="{lat:.7f}" lon="{lon:.7f}"/>')
        refs = "".join(f'<nd ref="{numbers[point]}"/>' for point in points)
        texts = "".join(f'<tag k="{key}" v="{value}"/>' for key, value in tags.items())
        ways.append(f'<way id="{len(ways) + 101}" version="1">{refs}{texts}</way>')
    path.write_text("<osm version='0.6'>" + "".join(nodes + ways) + "</osm>", encoding="utf-8")


def lane(*directions, active=None, access=()):
    return {"directions": list(directions), "recommendation": "highly_recommended" if active else "not_recommended",
            "access": list(access), **({"active": active} if active else {})}


class ExitDrive(Drive):
    """Along the motorway and off it; `country` is that of all roads, None if it is not known."""

    def __init__(self, path, country="DE", **options):
        roads = Roads(path)
        for links in roads.links.values():
            for _, _, road, _ in links:
                road.update({"country": country} if country else {})
        super().__init__(roads, roads.nearest(*at(0, 0)), roads.nearest(*at(700, 1180)), **options)

    def find_maneuvers(self):
        place = at(0, EXIT_Y)
        self.exit_index = min(range(len(self.shape)), key=lambda i: distance_m(self.shape[i], place))
        end = min(range(len(self.shape)), key=lambda i: distance_m(self.shape[i], at(140, 1182)))
        leaves, turns = self.maneuver(self.exit_index, "exit", 10), self.maneuver(end, "turn", 20)
        leaves |= {
            "side": "right", "text": "Take exit 13 toward Würzburg.", "signpost": SIGNPOST,
            "lanes": [lane("through"), lane("through", access=["hov"]), lane("through", "slight_right", active="slight_right")]}
        leaves["onto_road"] = {**self.roads[end], "link": True}
        found = [self.maneuver(0, "depart", 0), leaves, turns, self.maneuver(len(self.nodes) - 1, "arrive", 0)]
        for maneuver, after in zip(found, found[1:]):
            maneuver["length_m"] = after["offset_m"] - maneuver["offset_m"]
        return found
