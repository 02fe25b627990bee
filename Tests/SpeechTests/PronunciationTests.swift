import Speech
import Testing

@Suite struct PronunciationTests {
  let rules = English(region: .us).earRules

  @Test(arguments: [
    ("N Main St", "North Main Street"), ("St James St", "Saint James Street"),
    ("Main St N", "Main Street North"), ("Dr. King Blvd.", "Doctor King Boulevard"),
    ("Mill Rd / Lake Ave", "Mill Road, Lake Avenue"), ("Baden-Baden", "Baden Baden"),
    ("Airport (Terminal 2)", "Airport Terminal 2"), ("A - B", "A, B"), ("  ", ""), ("()", ""),
    ("Bed & Breakfast", "Bed and Breakfast"), ("line\nbreak\u{7}", "line break"), ("N 13", "N 13"),
    ("Rua de Santa Catarina", "Rua de Santa Catarina"), ("J. Smith Dr", "J. Smith Drive"),
  ])
  func `names become words, VO-7`(raw: String, spoken: String) {
    #expect(rules.name(raw) == spoken)
  }

  @Test(arguments: [
    ("SE 3rd Street", "Southeast 3rd Street"), ("S.E. 3rd St.", "Southeast 3rd Street"),
    ("W 42nd St", "West 42nd Street"), ("5th Ave NW", "5th Avenue Northwest"),
    ("SW 8 St", "Southwest 8 Street"), ("W 100 N", "West 100 North"),
    ("NE Martin Luther King Jr Blvd", "Northeast Martin Luther King Junior Boulevard"),
    ("N Court St", "North Court Street"), ("Main St N Extension", "Main Street North Extension"),
    ("Main St North", "Main Street North"), ("E St Louis Ave", "East Saint Louis Avenue"),
    // Letters that are no directions: road numbers, letter streets, initials, words of other languages.
    ("N 13", "N 13"), ("N 13 Bypass", "N 13 Bypass"), ("N St", "N Street"),
    ("E St NW", "E Street Northwest"),
    ("Avenue S", "Avenue S"), ("Ave N", "Avenue N"), ("Harry S Truman Dr", "Harry S Truman Drive"),
    ("William E. Clark Rd", "William E. Clark Road"), ("Rua Pero e Sousa", "Rua Pero e Sousa"),
    ("SE", "SE"), ("Carrer W", "Carrer W"), ("Via E. Fermi", "Via E. Fermi"),
    ("Via S. Maria", "Via S. Maria"), ("S. Maria", "S. Maria"), ("Avenue E Zola", "Avenue E Zola"),
    ("Rua Alegria E Paz", "Rua Alegria E Paz"), ("Str. S", "Str S"),
    ("Ave Maria Lane", "Ave Maria Lane"),
    ("Rio Ave", "Rio Ave"), ("Place St Ter", "Place Saint Ter"), ("U.S. 1", "U S 1"),
    ("N Broadway", "North Broadway"), ("Robert E Lee Boulevard", "Robert E Lee Boulevard"),
  ])
  func `directions are expanded where a street has them, VO-7`(raw: String, spoken: String) {
    #expect(rules.name(raw) == spoken)
  }

  @Test func `where the country names streets so, a letter needs no word for a street, VO-7`() {
    #expect(rules.name("Peachtree NE", country: "US") == "Peachtree Northeast")
    #expect(rules.name("Peachtree NE", country: "PT") == "Peachtree NE")
    #expect(rules.name("Main St N", country: "PT") == "Main Street North")
  }

  @Test(arguments: [
    ("King Jr Boulevard", "King Junior Boulevard"), ("King Jr. Dr", "King Junior Drive"),
    ("Dr Martin Luther King Jr Dr SE", "Doctor Martin Luther King Junior Drive Southeast"),
    ("William Smith Sr Rd", "William Smith Senior Road"), ("Hank Aaron Sr", "Hank Aaron Senior"),
    ("SR 20", "SR 20"), ("Old SR 20", "Old SR 20"), ("Old SR", "Old SR"),
    ("St Marks Pl", "Saint Marks Place"), ("Rue St Jean", "Rue Saint Jean"),
    ("Old St Johns Rd", "Old Saint Johns Road"), ("Main St Bridge", "Main Street Bridge"),
    ("Circle Dr Ext", "Circle Drive Extension"), ("Rodeo Dr East", "Rodeo Drive East"),
    ("Gen Patton Dr", "General Patton Drive"), ("Mill St 5", "Mill Street 5"),
    ("Pt Reyes Hwy", "Point Reyes Highway"), ("Hwy 5", "Highway 5"), ("St", "St"),
  ])
  func `an abbreviation means what its place in the name tells, VO-7`(raw: String, spoken: String) {
    #expect(rules.name(raw) == spoken)
  }

  @Test(arguments: [
    ("A 28", "A 28"), ("A28", "A 28"), ("N 13", "N 13"), ("EN109-3", "E N 109 3"),
    ("I 95", "Interstate 95"), ("A 1;IP 1", "A 1"), ("CR 12A", "C R 12A"), ("12", "road 12"),
    ("7;8", "road 7"),
    ("US 101", "U S 101"),
  ])
  func `road numbers are said as people say them, VO-7`(raw: String, spoken: String) {
    let piece = rules.roadNumber(raw)
    #expect(piece.map { Sentence(pieces: [$0]).plain } == spoken)
  }

  @Test(
    "numbers of states are said as routes in the United States alone, VO-7",
    arguments: [
      ("NY 17", "US", "State Route 17"), ("CA 1", "US", "State Route 1"),
      ("TX 35", "US", "State Highway 35"), ("SR 20", "US", "State Route 20"),
      ("CR 12A", "US", "County Road 12A"), ("FM 1960", "US", "Farm to Market Road 1960"),
      ("US 101", "US", "U S 101"), ("I 95", "US", "Interstate 95"), ("K 10", "US", "K 10"),
      ("CA 1", "ES", "C A 1"), ("SR 20", "IT", "S R 20"),
    ])
  func stateRoutes(raw: String, country: String, spoken: String) {
    let piece = rules.roadNumber(raw, country: country)
    #expect(piece.map { Sentence(pieces: [$0]).plain } == spoken)
  }

  @Test func `a road number of nothing is none`() {
    #expect(rules.roadNumber("") == nil)
    #expect(rules.roadNumber(" - ; ") == nil)
  }

  @Test func `no name is longer than a breath`() {
    let spoken = rules.name(String(repeating: "Long ", count: 100))
    #expect(spoken.count <= 90 && spoken.hasSuffix("Long"))
  }

  @Test func `markup in names is escaped and numbers are spelled in SSML, VO-7`() {
    let road = RoadName(name: "Tom & Sons' \"Way\"", number: "EN 109")
    let phrase = Phrase.maneuver(SpokenManeuver(.turn(.left), onto: road), .full, inM: 100)
    let utterance = English(region: .us).utterance(for: phrase, units: .metric)
    #expect(utterance.text == "In 100 meters, turn left onto Tom and Sons' Way, E N 109.")
    #expect(utterance.ssml.contains("<say-as interpret-as=\"characters\">EN</say-as> 109"))
    let angle = Sentence(stringLiteral: "a < b & c")
    #expect(angle.ssml(tag: "en-US").contains("a &lt; b &amp; c"))
  }
}

@Suite struct SentenceTests {
  @Test(arguments: [
    ("two   words ", "Two words."), ("  two", "two."), ("so , then,, there", "So, then, there."),
    ("your stop, Mill,", "Your stop, Mill."), ("is that so?", "Is that so?"), (" , ", "."),
    ("große Straße , übers Meer", "Große Straße, übers Meer."), ("東京 , 駅", "東京, 駅."),
    ("cafe\u{301}  noir", "Cafe\u{301} noir."), ("   ", ""), ("", ""),
  ])
  func `spaces and stops are set right, and no letter is touched, VO-7`(
    words: String, said: String
  ) {
    let sentence = Sentence(stringLiteral: words)
    #expect(sentence.finished.plain == said)
    #expect(sentence.isEmpty == said.isEmpty)
  }

  @Test func `letters of a road's number are said one by one, and alone are no silence, VO-7`() {
    let number = Sentence(pieces: [.roadNumber(letters: "ÄB", rest: "")])
    #expect(number.plain == "Ä B" && !number.isEmpty)
    #expect(Sentence(pieces: [.roadNumber(letters: "", rest: " ")]).isEmpty)
  }

  @Test func `the text alone is that of the utterance, VO-7`() {
    let road = RoadName(name: "Tom & Sons' \"Way\"", number: "EN 109")
    let language = English(region: .gb)
    for wording in ManeuverDetail.allCases {
      let phrase = Phrase.maneuver(SpokenManeuver(.turn(.left), onto: road), wording, inM: 430)
      #expect(
        language.text(for: phrase, units: .metric)
          == language.utterance(for: phrase, units: .metric).text)
    }
  }
}
