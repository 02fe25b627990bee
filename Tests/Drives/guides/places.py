"""Places of the demo town, and drives through it that several tests look at."""

from lab import at

HOME = (46.99714, -30.02392)
OFFICE = (47.00287, -29.97645)
STATION = (47.00183, -29.99980)
TOWN_HALL = (46.99941, -30.00020)
MARKET = (46.99986, -30.00706)
HOSPITAL = (47.00620, -30.01195)
STADIUM = (47.00744, -29.98835)
HARBOUR = (46.98390, -29.97864)
VILLAGE = (47.00022, -30.03560)
ISLAND = (46.97756, -29.95932)
CABIN = (46.98291, -30.03890)
FARM = (47.01632, -29.98813)
PIER = (46.98255, -29.97514)
DOCKS = (46.98413, -29.99499)


def tour(lab):
    """A drive in three sections: by the High Street to the town hall, on to the stadium, and to the office."""
    vehicle = lab.town.vehicle("scene/frame")
    vehicle.start(HOME, at(TOWN_HALL, name="Town Hall"), at(STADIUM, name="Stadium"), at(OFFICE, name="Office"), bearing=0)
    vehicle.route = vehicle.active
    vehicle.follow(until=lambda: vehicle.count("guidance/arrival"))
    lab.town.settle(4)
    return vehicle


def crossing(lab):
    """A drive over the ferry to the island."""
    vehicle = lab.town.vehicle()
    vehicle.start(PIER, at(ISLAND, name="Isle Inn"))
    vehicle.route = vehicle.active
    vehicle.follow(until=lambda: vehicle.count("guidance/arrival"), speed=8)
    lab.town.settle(4)
    return vehicle


def cabin(lab):
    """A drive to a place off the road, and on foot from the road's end to it."""
    vehicle = lab.town.vehicle("scene/frame")
    vehicle.start(HOME, at(CABIN, name="Old Cabin"), bearing=180)
    vehicle.route = vehicle.active
    vehicle.follow(until=lambda: vehicle.count("guidance/arrival"))
    end = vehicle.place
    vehicle.drive([end, CABIN], from_m=20, speed=20, until=lambda: vehicle.count("guidance/arrival") > 1, bearing=None)
    lab.town.settle(4)
    return vehicle
