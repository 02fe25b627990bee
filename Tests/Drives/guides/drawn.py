"""Small maps that tests draw: what the demo town has not."""

from osm import Drawing

US_START, US_END = (-400, 0), (3000, 2300)


def us_map(path):
    """A town in California: a numbered motorway, and streets with abbreviated names. Returns the drawing."""
    town = Drawing(37.5, -122.2)
    town.area("us", -3000, -3000, 8000, 8000, admin_level="2", name="United States", **{"ISO3166-1": "US", "ISO3166-1:alpha2": "US"})
    town.area("ca", -3000, -3000, 8000, 8000, admin_level="4", name="California", **{"ISO3166-2": "US-CA"})
    for name, east, north in (("a", -600, 0), ("b", 1500, 0), ("c", 1500, 900), ("d", 3000, 900), ("e", 3000, 1800), ("f", 3000, 2500),
                              ("b2", 2400, 0), ("c2", 1500, 1800), ("d2", 4200, 900), ("e2", 4500, 1800), ("e3", 1800, 1800)):
        town.node(name, east, north)
    numbered = town.road("a b", "primary", name="W Carolina Ave", ref="US 101;CA 1", maxspeed="35 mph")
    beyond = town.road("b b2", "primary", name="W Carolina Ave", ref="US 101;CA 1", maxspeed="35 mph")
    town.road("b c c2", "secondary", name="SE 3rd St", maxspeed="35 mph")
    town.road("c d d2", "secondary", name="Martin Luther King Jr Blvd", maxspeed="35 mph")
    town.road("d e f", "tertiary", name="N Main St/B Street (old)", maxspeed="35 mph")
    town.road("e3 e e2", "tertiary", name="Fort Worth Ln - East", maxspeed="35 mph")
    for number, (network, ref, role) in enumerate((("US:US", "101", "north"), ("US:CA", "1", "west"))):
        members = [("way", numbered, role), ("way", beyond, role)]
        town.relation(members, type="route", route="road", network=network, ref=ref, name=f"Route {number}")
    town.write(path)
    return town


def numbers_map(path):
    """Roads of Germany with numbers of every reach, one of them in two languages. Returns the drawing."""
    town = Drawing(49.4, 8.7)
    town.area("de", -3000, -3000, 9000, 3000, admin_level="2", name="Germany", **{"ISO3166-1": "DE", "ISO3166-1:alpha2": "DE"})
    town.area("bw", -3000, -3000, 9000, 3000, admin_level="4", name="Baden-Württemberg", **{"ISO3166-2": "DE-BW"})
    for number in range(6):
        town.node(f"n{number}", 1200 * number, 0)
    for number, (highway, ref) in enumerate((("motorway", "A 5"), ("primary", "B 3"), ("secondary", "L 600a"), ("tertiary", "K 9710"))):
        town.road(f"n{number} n{number + 1}", highway, name=f"Street {number}", ref=ref, oneway="no")
    town.road("n4 n5", "residential", name="Marktstraße", **{"name:en": "Market Street", "ref": "S 7", "ref:en": "C 7"})
    town.write(path)
    return town


def mini_map(path):
    """A corner at which the only turn is forbidden, a road that nothing joins, and one that is closed on Sundays. Returns the drawing."""
    town = Drawing(47.0, 9.0)
    for name, east, north in (("a", 0, 0), ("b", 300, 0), ("c", 300, 300), ("x", 2000, 0), ("y", 2300, 0),
                              ("p", 0, 1000), ("q", 300, 1000), ("r", 600, 1000), ("s", 900, 1000)):
        town.node(name, east, north)
    first, second = town.road("a b", name="First Street", oneway="yes"), town.road("b c", name="Second Street", oneway="yes")
    town.road("x y", name="Far Street")
    town.road("p q", name="West Street")
    town.road("q r", name="Sunday Street", **{"motor_vehicle:conditional": "no @ (Su 10:00-18:00)"})
    town.road("r s", name="East Street")
    town.relation([("way", first, "from"), ("node", "b", "via"), ("way", second, "to")], type="restriction", restriction="no_left_turn")
    town.write(path)
    return town
