"""A small town as OSM XML: named streets in a grid, an avenue with a tunnel, a bridge, a motorway."""

ORDINALS = ["First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth"]
TREES = ["Acacia", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Juniper", "Larch", "Maple", "Oak"]
SIZE = 10
SOUTH, WEST = 47.1, 9.5
STEP_LAT, STEP_LON = 0.00125, 0.0018


def bent(row, column):
    """The crossing of a row and a column; the grid is bent a little, as towns are."""
    lat = SOUTH + row * STEP_LAT + 0.0002 * ((column * 7) % 5 - 2) / 2
    lon = WEST + column * STEP_LON + 0.0003 * ((row * 5) % 7 - 3) / 3
    return lat, lon


def write(path):
    nodes, ways = {}, []

    def node(lat, lon):
        number = len(nodes) + 1
        nodes[number] = (lat, lon)
        return number

    grid = [[node(*bent(row, column)) for column in range(SIZE)] for row in range(SIZE)]

    def way(members, **tags):
        ways.append((members, tags))

    for row in range(SIZE):
        if row == 4:
            way(grid[row][:4], highway="primary", name="Station Avenue", ref="B 12", lanes="2", maxspeed="50")
            way(grid[row][3:6], highway="primary", name="Station Avenue", ref="B 12", tunnel="yes", layer="-1", maxspeed="50")
            way(grid[row][5:], highway="primary", name="Station Avenue", ref="B 12", maxspeed="50")
        else:
            kind = "secondary" if row == 7 else "residential"
            way(grid[row], highway=kind, name=f"{ORDINALS[row]} Street", maxspeed="50" if row == 7 else "30")
    for column in range(SIZE):
        members = [grid[row][column] for row in range(SIZE)]
        if column in (3, 4, 5):
            # Nothing but the streets' own crossings joins the tunnel.
            members = members[:4]
            way([grid[row][column] for row in range(5, SIZE)], highway="residential", name=f"{TREES[column]} Lane")
        kind = "tertiary" if column == 8 else "residential"
        oneway = {"oneway": "yes"} if column == 1 else {}
        way(members, highway=kind, name=f"{TREES[column]} Lane", **oneway)
    north = [node(SOUTH + STEP_LAT * (SIZE + 0.6 + 0.1 * i), WEST + STEP_LON * (i * 2 - 4)) for i in range(9)]
    way(north, highway="motorway", ref="A 3", oneway="yes", maxspeed="120")
    way([grid[SIZE - 1][6], north[5]], highway="motorway_link", oneway="yes")
    place = node(SOUTH + STEP_LAT * 5.5, WEST + STEP_LON * 6.5)
    with open(path, "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0"?>\n<osm version="0.6" generator="drawn_town">\n')
        for number, (lat, lon) in nodes.items():
            head = f'<node id="{number}" version="1" lat="{lat:.7f}" lon="{lon:.7f}"'
            named = '><tag k="place" v="village"/><tag k="name" v="Lindau"/></node>\n' if number == place else "/>\n"
            file.write(head + named)
        for number, (members, tags) in enumerate(ways, 1):
            file.write(f'<way id="{number}" version="1">')
            file.writelines(f'<nd ref="{member}"/>' for member in members)
            file.writelines(f'<tag k="{key}" v="{value}"/>' for key, value in tags.items())
            file.write("</way>\n")
        file.write("</osm>\n")


if __name__ == "__main__":
    import sys
    write(sys.argv[1])
