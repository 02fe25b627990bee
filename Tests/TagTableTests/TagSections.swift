/// Probes of one subject: each tag is added to an object with the tags `on`.
struct TagGroup {
  var on: String
  var place: TagProbe.Place
  var probes: [(key: String, values: [String])]
}

/// A heading of the table with its groups.
struct TagSection {
  var title: String
  /// What is common to the rows, in a sentence or two.
  var text: String
  var groups: [TagGroup]

  /// All sections in the order of the page.
  static let all: [TagSection] = [
    roads, access, oneWays, times, speeds, surfaces, sizes, passability, trails, areas, ferries,
    toll, walking, lanes, names, properties, nodes, barriers, restrictions,
  ]

  /// A key with values between spaces.
  private static func tag(_ key: String, _ values: String) -> (key: String, values: [String]) {
    (key, values.split(separator: " ").map(String.init))
  }

  /// A key with values that have spaces in them.
  private static func text(_ key: String, _ values: String...) -> (key: String, values: [String]) {
    (key, values)
  }

  private static func ways(
    on: String, _ probes: [(key: String, values: [String])]
  ) -> TagGroup {
    TagGroup(on: on, place: .way, probes: probes)
  }

  private static func street(_ probes: [(key: String, values: [String])]) -> TagGroup {
    ways(on: "highway=residential", probes)
  }

  private static func nodes(
    on: String, _ probes: [(key: String, values: [String])]
  ) -> TagGroup {
    TagGroup(on: on, place: .node, probes: probes)
  }

  // MARK: Roads

  private static let roads = TagSection(
    title: "Kinds of roads",
    text: """
      Access and speed where no other tag and no country says anything. Ways with other values are no roads.
      """,
    groups: [
      ways(
        on: "",
        [
          tag(
            "highway",
            """
            motorway motorway_link trunk trunk_link primary primary_link secondary secondary_link \
            tertiary tertiary_link unclassified road residential living_street service services \
            busway bus_guideway track pedestrian cycleway path footway bridleway corridor \
            via_ferrata steps platform construction
            """),
          tag("route", "ferry shuttle_train"),
          tag("railway", "platform"), tag("public_transport", "platform"), tag("man_made", "pier"),
        ]),
      ways(
        on: "highway=service",
        [tag("service", "parking_aisle drive-through driveway alley emergency_access")]),
      ways(
        on: "highway=primary",
        [tag("motorroad", "yes"), tag("expressway", "yes"), tag("dual_carriageway", "yes")]),
    ])

  // MARK: Access

  private static let modeKeys =
    "vehicle motor_vehicle motorcar goods hgv psv bus taxi motorcycle moped bicycle foot"

  private static let access = TagSection(
    title: "Access",
    text: """
      The most specific key of a mode decides: `access`, `vehicle`, `motor_vehicle`, then `motorcar` (car, taxi), `goods`, \
      `hgv` (truck), `psv`, `bus` (bus), `psv`, `taxi` (taxi), `motorcycle`, `moped` (scooter), `bicycle`, `foot`. Each key also \
      with `:forward` and `:backward`. Of several values the most open counts. `access` alone never opens what the kind of road closes.
      """,
    groups: [
      street(
        [
          tag(
            "access",
            """
            yes permissive designated official public discouraged toll no agricultural forestry \
            emergency military restricted none closed impassable use_sidepath psv bus minibus taxi \
            share_taxi hov \
            destination local delivery loading unloading customers private permit residents \
            employees members dismount no;destination unknown
            """)
        ] + modeKeys.split(separator: " ").map { tag(String($0), "no") }
          + [
            tag("motor_vehicle:forward", "no"), tag("bicycle:backward", "no"),
            tag("bicycle", "dismount"), tag("hov", "designated only yes"),
            tag("hov:lanes", "designated only|designated yes|designated"),
            text("hov:conditional", "designated @ (Mo-Fr 06:00-09:00)"),
          ]),
      ways(
        on: "highway=residential motor_vehicle=no",
        [tag("hov", "yes"), tag("psv", "yes"), tag("motorcar", "destination")]),
      ways(
        on: "highway=footway",
        [tag("access", "yes"), tag("bicycle", "yes designated"), tag("motor_vehicle", "yes")]),
      ways(on: "highway=track", [tag("motor_vehicle", "yes"), tag("access", "yes")]),
      ways(on: "highway=motorway", [tag("bicycle", "yes"), tag("moped", "yes")]),
    ])

  // MARK: One-ways

  private static let oneWays = TagSection(
    title: "One-ways",
    text: """
      The most specific key of a mode decides. `oneway` alone does not concern people on foot.
      """,
    groups: [
      street([
        tag("oneway", "yes true 1 -1 reverse no false 0 alternating alternate reversible"),
        tag("junction", "roundabout circular"), tag("oneway:foot", "yes"),
      ]),
      ways(
        on: "highway=residential oneway=yes",
        modeKeys.split(separator: " ").map { tag("oneway:\($0)", "no") } + [
          tag("cycleway", "opposite opposite_lane"), tag("cycleway:left", "opposite_track"),
          tag("cycleway:left:oneway", "no -1 false"), tag("cycleway:right:oneway", "-1 reverse 0"),
          tag("cycleway:both:oneway", "no"), tag("cycleway:oneway", "no"),
          tag("busway", "opposite_lane"), tag("busway:left", "opposite_lane"),
          tag("busway:right", "opposite_lane"), tag("busway:both", "opposite_lane"),
          tag("lanes:psv:backward", "1"), tag("lanes:bus:backward", "1"),
        ]),
      ways(on: "highway=steps", [tag("conveying", "forward backward reversible yes")]),
    ])

  // MARK: Times

  private static let times = TagSection(
    title: "What holds at times only",
    text: """
      `:conditional` of every access key, of `oneway` and its modes, and of `maxspeed` and its vehicles. The router judges a rule when the \
      vehicle gets there. What cannot be read is counted in the report of the build.
      """,
    groups: [
      street([
        text("access:conditional", "no @ (22:00-06:00)"),
        text("hgv:conditional", "no @ (weight>7.5)"),
        text("motor_vehicle:forward:conditional", "destination @ (Mo-Fr 07:00-09:00)"),
        text("oneway:conditional", "yes @ (Mo-Fr 07:00-09:00)"),
        text("oneway:bicycle:conditional", "yes @ (Sa,Su)"),
        text("maxspeed:conditional", "30 @ (22:00-06:00)", "80 @ wet", "30 @ nonsense("),
        text("maxspeed:hgv:conditional", "30 @ (22:00-06:00)"),
        text("maxspeed:goods:conditional", "30 @ (22:00-06:00)"),
        text("maxspeed:bus:conditional", "30 @ (22:00-06:00)"),
        text("maxspeed:coach:conditional", "30 @ (22:00-06:00)"),
        text("maxspeed:psv:conditional", "30 @ (22:00-06:00)"),
        text("maxspeed:motorcar:conditional", "30 @ (22:00-06:00)"),
        text("maxspeed:motorcycle:conditional", "30 @ (22:00-06:00)"),
        text("maxspeed:moped:conditional", "30 @ (22:00-06:00)"), tag("trailer", "no"),
      ])
    ])

  // MARK: Speeds

  private static let speeds = TagSection(
    title: "Speeds",
    text: """
      The speed of a vehicle is a little below the limit, and at most what such a road lets one drive. All keys also with `:forward` and \
      `:backward`. `XX:` is the code of a country: see [the limits of countries](countries.md).
      """,
    groups: [
      ways(
        on: "highway=primary",
        [
          text(
            "maxspeed", "30", "30 km/h", "30 kmh", "30 kmph", "30 kph", "30 km", "30 mph",
            "30 mp/h", "30 mi/h"),
          text("maxspeed", "15 knots", "15 knot", "15 kn"),
          tag(
            "maxspeed",
            "none unlimited walk walking national nsl signals variable default implicit sign fast"),
          tag(
            "maxspeed",
            """
            DE:urban DE:built_up GB:nsl_restricted DE:rural DE:nonurban GB:nsl_single GB:nsl \
            FR:trunk GB:nsl_dual FR:expressway FR:motorroad FR:motorway JP:express DE:motorway \
            DE:living_street DE:walk DE:pedestrian_zone DE:shared_zone DE:bicycle_road \
            DE:cycle_street DE:zone DE:zone:30 DE:30 DE:zone30 BE-VLG:rural BE-WAL:rural UK:nsl_single
            """),
          tag("maxspeed:forward", "50"), tag("maxspeed:backward", "50"),
          tag("maxspeed:lanes", "60|80"), tag("maxspeed:motor_vehicle", "50"),
          tag("maxspeed:type", "DE:urban"), tag("source:maxspeed", "DE:urban"),
          tag("zone:maxspeed", "DE:urban DE:30"), tag("zone:traffic", "DE:urban DE:rural"),
          tag("maxspeed:hgv", "50"), tag("maxspeed:bus", "50"), tag("maxspeed:coach", "50"),
          tag("maxspeed:psv", "50"), tag("maxspeed:advisory", "50"),
          tag("maxspeed:variable", "yes"), tag("traffic_calming", "bump yes no"),
        ]),
      ways(on: "highway=motorway", [tag("maxspeed", "none 120"), tag("maxspeed:hgv", "60")]),
    ])

  private static let surfaces = TagSection(
    title: "Surface and smoothness",
    text: "",
    groups: [
      ways(
        on: "highway=tertiary",
        [
          tag(
            "surface",
            """
            paved asphalt concrete paving_stones metal wood chipseal tarmac rubber tartan bricks \
            brick cement concrete:plates sett cobblestone unhewn_cobblestone stone grass_paver compacted \
            fine_gravel pebblestone unpaved gravel shells rock rocky dirt earth ground grass mud sand \
            woodchips snow ice soil clay unknown
            """),
          tag(
            "smoothness",
            """
            excellent good intermediate bad very_bad horrible very_horrible impassable
            """),
        ]),
      ways(on: "highway=track", [tag("tracktype", "grade1 grade2 grade3 grade4 grade5")]),
    ])

  // MARK: Sizes

  private static let sizes = TagSection(
    title: "Sizes, weights and loads",
    text: """
      Every key with `:hgv`, `:hgv_articulated`, `:goods`, `:bus`, `:coach`, `:tourist_bus`, `:psv`, `:taxi`, `:motorcar`, `:motorcycle`, `:moped`, `:vehicle`, \
      `:motor_vehicle`, with `:forward`, `:backward`, `:lanes`, `:physical`, `:legal` and `:conditional`. A vehicle that is too large goes \
      round, and where it cannot, the route reports `vehicle`. Trucks and buses without sizes have [the greatest legal ones](countries.md#greatest-legal-sizes).
      """,
    groups: [
      street([
        text(
          "maxheight", "3.8", "3.8 m", "380 cm", "3800 mm", "3.8 meter", "3.8 meters", "3.8 metre",
          "3.8 metres"),
        text(
          "maxheight", "12'6\"", "12'-6\"", "12 ft 6 in", "12 feet 6 inches", "12 ft. 6 in.",
          "12 foot 6 inch", "150 in"),
        tag(
          "maxheight",
          "none no default below_default no_sign no_indications unsigned unlimited unknown low"),
        tag("maxheight:physical", "3.8"), tag("maxheight:legal", "3.8"),
        tag("maxwidth", "2"), tag("maxlength", "12"),
        text(
          "maxweight", "7.5", "7.5 t", "7.5 mt", "7.5 to", "7.5 ton", "7.5 tons", "7.5 tonne",
          "7.5 tonnes", "7500 kg", "7500 kgs"),
        text("maxweight", "8 st", "8 short ton", "8 short tons"),
        text("maxweight", "8 lt", "8 long ton", "8 long tons"),
        text("maxweight", "16000 lbs", "16000 lb", "16000 pounds", "160 cwt"),
        tag("maxweightrating", "7.5"), tag("maxgcweight", "7.5"), tag("maxgcweightrating", "7.5"),
        tag("maxaxleload", "8"), tag("maxbogieweight", "16"), tag("maxaxles", "3"),
        tag("maxheight:forward", "3.8"), tag("maxheight:lanes", "3|4"),
        tag("maxweight:hgv", "7.5"), tag("maxweight:hgv_articulated", "7.5"),
        tag("maxlength:goods", "12"), tag("maxlength:bus", "12"), tag("maxlength:coach", "12"),
        tag("maxlength:tourist_bus", "12"), tag("maxweight:psv", "12"), tag("maxweight:taxi", "3"),
        tag("maxweight:motorcar", "3"), tag("maxweight:motorcycle", "1"),
        tag("maxweight:moped", "1"), tag("maxweight:vehicle", "5"),
        tag("maxweight:motor_vehicle", "5"),
        text("maxweight:conditional", "none @ delivery", "none @ loading", "none @ unloading"),
        text("maxheight:conditional", "3 @ (22:00-06:00)"),
        tag("hazmat", "no designated"), tag("hazmat:B", "no"), tag("hazmat:water", "no"),
        text("hazmat:conditional", "no @ (22:00-06:00)"),
        tag("hazmat:adr_tunnel_code", "A B C D E"), tag("hazmat:tunnel_category", "C"),
      ]),
      ways(
        on: "highway=residential maxweight=7.5",
        [
          text(
            "maxweight:conditional", "none @ destination", "none @ delivery", "none @ loading",
            "none @ unloading", "none @ customers", "none @ private", "none @ permit",
            "none @ permit_holder", "none @ residents", "none @ (22:00-06:00)")
        ]),
    ])

  // MARK: Passability

  private static let passability = TagSection(
    title: "State of the road",
    text: """
      What only some vehicles of a mode pass has a difficulty; above the usual one (motor 1, bicycle 2, pedestrian 3; `max_difficulty` of a request) it is \
      taken only where nothing else leads, and then reported (`vehicle`). Months are those of the northern hemisphere; on the southern one they are \
      half a year apart.
      """,
    groups: [
      ways(
        on: "highway=tertiary",
        [
          tag("4wd_only", "yes true extreme recommended"), tag("ford", "yes stepping_stones boat"),
          tag("tidal", "yes"), tag("ice_road", "yes"), tag("winter_road", "yes"),
          tag("seasonal", "winter spring summer autumn fall wet_season dry_season yes"),
          tag("abandoned", "yes"),
          tag("disused", "yes"), tag("demolished", "yes"), tag("razed", "yes"),
          tag("removed", "yes"), tag("proposed", "yes"),
          tag("impassable", "yes"), tag("status", "impassable"),
          tag("construction", "yes minor widening completed no"),
        ]),
      ways(on: "highway=tertiary construction=yes", [tag("opening_date", "2027-05-01 2027-05")]),
    ])

  private static let trails = TagSection(
    title: "Trails",
    text: "",
    groups: [
      ways(
        on: "highway=path",
        [
          tag(
            "sac_scale",
            """
            strolling hiking mountain_hiking demanding_mountain_hiking alpine_hiking \
            demanding_alpine_hiking difficult_alpine_hiking
            """), tag("mtb:scale", "0 1 2 3 4 5 6"),
          tag("trail_visibility", "excellent good intermediate bad horrible no"),
          tag("assisted_trail", "yes"), tag("rungs", "yes"), tag("ladder", "yes"),
          tag("safety_rope", "yes"), tag("via_ferrata_scale", "0 1 no"),
        ])
    ])

  // MARK: Areas

  private static let areas = TagSection(
    title: "Areas",
    text: "Closed ways and multipolygons. Motor vehicles use yards only to begin or end there.",
    groups: [
      TagGroup(
        on: "", place: .area,
        probes: [
          tag("man_made", "pier"), tag("railway", "platform"),
          tag("public_transport", "platform"), tag("highway", "platform"),
          tag("amenity", "parking"),
        ]),
      TagGroup(on: "highway=pedestrian", place: .area, probes: [tag("area", "yes no")]),
      TagGroup(on: "highway=service", place: .area, probes: [tag("area", "yes")]),
      TagGroup(
        on: "amenity=parking", place: .area,
        probes: [tag("parking", "surface underground"), tag("building", "yes no")]),
    ])

  // MARK: Ferries and toll

  private static let ferries = TagSection(
    title: "Ferries and car trains",
    text:
      "Ways `route=ferry` or `route=shuttle_train`; what they lack comes from relations of the same tags.",
    groups: [
      ways(
        on: "route=ferry",
        [
          tag("duration", "20 00:20 PT20M PT1H long"), tag("interval", "00:30"),
          text("duration:conditional", "00:40 @ (Oct-Mar)"),
          text("interval:conditional", "01:00 @ (Sa,Su)"),
          text("opening_hours", "06:00-22:00", "24/7"), tag("motor_vehicle", "no"),
          tag("foot", "no"),
        ]),
      ways(
        on: "route=ferry duration=00:20", [text("duration:conditional", "00:40 @ (Oct-Mar)")]),
    ])

  private static let toll = TagSection(
    title: "Toll",
    text: "`toll:` with each access key; of trucks `toll:N3` and `toll:N2` decide.",
    groups: [
      street([
        tag("toll", "yes no"), tag("toll:motorcar", "yes"), tag("toll:hgv", "yes"),
        tag("toll:bus", "yes"), tag("toll:motorcycle", "yes"), tag("toll:bicycle", "yes"),
        tag("toll:N3", "yes"), tag("toll:N2", "yes"),
      ]),
      ways(on: "highway=residential toll=yes", [tag("toll:motorcar", "no"), tag("toll:N3", "no")]),
    ])

  // MARK: Walking and cycling

  private static let walking = TagSection(
    title: "On foot and by bicycle",
    text: "A cost weighs the time for the choice of a path alone; durations stay what they are.",
    groups: [
      ways(
        on: "highway=secondary",
        [
          tag("sidewalk", "separate no none both left right"), tag("sidewalk:both", "separate no"),
          tag("sidewalk:left", "separate"), tag("sidewalk:right", "no"),
          tag("cycleway", "separate lane track no none"), tag("cycleway:both", "separate"),
          tag("cycleway:left", "separate"), tag("cycleway:right", "separate"),
          tag("tunnel", "yes building_passage no"), tag("expressway", "yes"),
        ]),
      ways(
        on: "highway=footway",
        [tag("footway", "crossing sidewalk"), tag("indoor", "yes"), tag("covered", "yes")]),
      ways(on: "highway=path", [tag("path", "crossing")]),
      ways(on: "highway=cycleway", [tag("cycleway", "crossing")]),
    ])

  // MARK: Lanes

  private static let lanes = TagSection(
    title: "Lanes",
    text: "All keys also with `:forward` and `:backward`; without one they hold for one-ways.",
    groups: [
      street([
        tag("lanes", "2 3 4"), tag("lanes:forward", "2"), tag("lanes:backward", "2"),
        tag("turn:lanes:forward", "left|through"),
      ]),
      ways(
        on: "highway=residential lanes=3", [tag("lanes:both_ways", "1"), tag("lanes:forward", "2")]),
      ways(
        on: "highway=residential oneway=yes",
        [tag("lanes", "2"), tag("turn:lanes", "left|through")]
          + """
          change access vehicle motor_vehicle hov bus psv taxi bicycle hgv maxspeed width \
          destination destination:ref destination:symbol
          """.split(separator: " ").map { tag("\($0):lanes", "a|b") }),
    ])

  // MARK: Names

  private static let names = TagSection(
    title: "Names and signposts",
    text: """
      `name`, `destination` and its kin also with `:forward` and `:backward`. A signpost without a direction stands for traffic along the way.
      """,
    groups: [
      street([
        text("name", "High Street"), text("name:forward", "North Side"),
        text("name:fr", "Grand-Rue"),
        text("ref", "B 3"), text("ref:fr", "D 3"), tag("destination", "Paris"),
        tag("destination:street", "Ring"), tag("destination:to", "Lyon"),
        tag("destination:ref", "A1"), tag("destination:int_ref", "E15"),
        tag("destination:ref:to", "A6"), tag("destination:symbol", "airport"),
        tag("destination:lanes", "Paris|Lyon"), tag("destination:ref:lanes", "A1|A6"),
        tag("junction:ref", "12"),
      ])
    ])

  // MARK: Properties

  private static let properties = TagSection(
    title: "Other properties",
    text: "",
    groups: [
      street([
        tag("tunnel", "yes"), tag("covered", "yes"), tag("bridge", "yes viaduct no"),
        tag("layer", "2"), tag("lit", "yes"), tag("noexit", "yes"), tag("school_zone", "yes"),
        tag("hazard", "school_zone school"), tag("driving_side", "left right"),
        tag("country", "GB"), tag("addr:country", "GB"), tag("is_in:state", "Ohio"),
      ])
    ])

  // MARK: Nodes

  private static let nodes = TagSection(
    title: "Nodes on roads",
    text: "Of several values of `highway` each counts.",
    groups: [
      nodes(
        on: "",
        [
          tag(
            "highway",
            """
            traffic_signals stop give_way crossing motorway_junction mini_roundabout speed_camera \
            turning_circle turning_loop toll_gantry hazard stop;crossing
            """), tag("railway", "level_crossing crossing"), tag("traffic_calming", "bump no"),
          tag("hazard", "curve no"), tag("barrier", "toll_booth border_control"),
        ]),
      nodes(
        on: "highway=traffic_signals",
        [
          tag("direction", "forward backward"),
          tag("traffic_signals:direction", "forward backward"),
        ]),
      nodes(on: "barrier=toll_booth", [tag("toll", "no"), tag("toll:hgv", "yes")]),
      nodes(on: "highway=toll_gantry", [tag("toll:hgv", "yes")]),
      nodes(
        on: "highway=motorway_junction",
        [tag("ref", "12"), text("name", "Kreuz Nord"), tag("exit_to", "Paris")]),
      nodes(
        on: "name=Somewhere",
        """
        place amenity tourism railway aeroway leisure shop office historic public_transport \
        healthcare
        """.split(separator: " ").map { tag(String($0), "x") } + [
          tag("amenity", "yes vacant"), tag("shop", "no"),
          tag("public_transport", "stop_position platform"),
          tag(
            "railway",
            """
            platform_edge signal switch buffer_stop level_crossing crossing tram_level_crossing \
            tram_crossing railway_crossing milestone derail owner_change construction disused \
            abandoned tram_stop
            """),
        ]),
    ])

  // MARK: Barriers

  private static let barriers = TagSection(
    title: "Barriers and signs on nodes",
    text: """
      The most specific access tag of a mode decides, as on roads; without one, the kind of barrier. See [barriers](architecture/barriers.md).
      """,
    groups: [
      nodes(
        on: "",
        [
          tag(
            "barrier",
            """
            gate lift_gate swing_gate sliding_gate sliding_beam wicket_gate hampshire_gate entrance \
            cattle_grid kerb no bollard block jersey_barrier cycle_barrier motorcycle_barrier debris \
            log planter chain rope barrier_board spikes bar wall fence hedge ditch guard_rail \
            retaining_wall city_wall horse_jump bus_trap sump_buster stile turnstile kissing_gate \
            full-height_turnstile horse_stile height_restrictor
            """), tag("entrance", "yes no"), tag("amenity", "parking_entrance"),
          text("maxheight", "3.8"), text("maxwidth", "2"), text("maxlength", "12"),
          text("maxweight", "7.5"), text("maxweight:hgv", "7.5"), text("maxaxleload", "8"),
          tag("hazmat", "no"),
        ]),
      nodes(on: "barrier=bollard", [tag("bollard", "rising removable fixed"), tag("psv", "yes")]),
      nodes(
        on: "barrier=gate",
        [
          tag("access", "yes no private permit residents customers delivery destination"),
          tag("locked", "yes"), tag("motor_vehicle", "no private"), tag("bicycle", "no"),
          tag("foot", "no"), text("opening_hours", "06:00-22:00"),
          text("access:conditional", "no @ (22:00-06:00)"),
          text("motor_vehicle:conditional", "private @ (22:00-06:00)"),
        ]),
      nodes(on: "barrier=fence", [tag("sensory", "audible audio")]),
      nodes(on: "barrier=height_restrictor", [tag("maxheight", "2.1")]),
      nodes(on: "entrance=yes", [tag("access", "private")]),
      nodes(on: "amenity=parking_entrance", [tag("access", "customers")]),
    ])

  // MARK: Restrictions

  private static let restrictions = TagSection(
    title: "Turn restrictions",
    text: """
      Relations `type=restriction` with members `from`, `via` (a node, or ways) and `to`; here the turn from a by b to c, a road to d leads \
      off. Of several words between `;` each counts. The report of the build counts those that are dropped by the reason.
      """,
    groups: [
      TagGroup(
        on: "type=restriction", place: .restriction,
        probes: [
          tag(
            "restriction",
            """
            no_straight_on no_left_turn no_right_turn no_u_turn no_entry no_exit only_straight_on \
            only_left_turn only_right_turn only_u_turn nonsense
            """), text("restriction:conditional", "no_straight_on @ (Mo-Fr 07:00-09:00)"),
        ]
          + """
          motor_vehicle vehicle motorcar hgv goods bus coach tourist_bus psv taxi share_taxi \
          motorcycle moped mofa bicycle foot tram
          """.split(separator: " ").map { tag("restriction:\($0)", "no_straight_on") }),
      TagGroup(
        on: "type=restriction restriction=no_straight_on", place: .restriction,
        probes: [
          tag("except", "bus psv;bicycle"), tag("hour_on", "07:00"), tag("day_on", "Monday"),
        ]),
      TagGroup(
        on: "type=restriction restriction=no_straight_on hour_on=07:00", place: .restriction,
        probes: [tag("hour_off", "09:00")]),
      TagGroup(
        on: "type=restriction restriction=no_straight_on day_on=Monday", place: .restriction,
        probes: [tag("day_off", "Friday")]),
    ])
}
