/// What the map maker reads of objects that only count together with others: described, not probed.
enum TagNotes {
  /// Keys with their values, and what they do.
  static let all: [(tags: [String], effect: String)] = [
    (
      [
        "boundary=administrative", "admin_level=2", "ISO3166-1:alpha2", "ISO3166-1", "country_code",
      ],
      "closed ways and relations: the country of the roads within"
    ),
    (
      ["boundary=administrative", "admin_level=4", "name", "ISO3166-2"],
      "closed ways and relations: the state of the roads within"
    ),
    (["boundary=low_emission_zone"], "closed ways and relations: a low-emission zone"),
    (
      ["type=route", "route=road", "network", "ref", "direction"],
      """
      relations over roads: network and direction of the road's number (`direction` or the role of a member: `north`, `N`, `northeast`, \
      `clockwise`, `inner` and their kin)
      """
    ),
    (
      ["type=route", "route=ferry", "route=shuttle_train"],
      """
      relations over ways: what the ways lack, without `type`, `area`, `oneway`, `from`, `to`, `via`, `colour`, `fixme`, `layer`; a `duration` is \
      shared by the members
      """
    ),
    (
      ["type=multipolygon", "highway", "area"],
      "relations: areas to walk across, with holes; with `highway` also without `area`"
    ),
    (
      ["railway=tram", "railway=light_rail"],
      "ways: where nothing but such tracks cross a road, there is no railway crossing"
    ),
    (
      ["crossing:barrier"],
      "a node where trams cross behind barriers is a railway crossing all the same"
    ),
    (["type=restriction:hgv"], "a restriction for the vehicle after the colon alone"),
  ]
}
