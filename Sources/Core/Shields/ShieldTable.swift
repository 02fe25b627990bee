/// The look of the signs of each network: `NETWORK FORM FACE RIM INK` and more words, see
/// `ShieldStyle`.
///
/// From the sign catalogues of the countries; colours are those of the number plates, not of the
/// guide signs around them.
enum ShieldTable {
  static let styles: [String: ShieldStyle] = {
    var styles: [String: ShieldStyle] = [:]
    for row in rows { styles[String(row.network)] = ShieldStyle(row.words) }
    return styles
  }()

  /// Networks whose rows do not follow the grammar; a test ensures that there are none.
  static var unreadable: [String] {
    rows.filter { ShieldStyle($0.words) == nil }.map { String($0.network) }
  }

  private static var rows: [(network: Substring, words: Substring)] {
    (europe + americas + others).split(separator: "\n").map { line in
      let network = line.prefix { $0 != " " }
      return (network, line.dropFirst(network.count + 1))
    }
  }

  /// The sign of a network; otherwise of the country's other numbers, otherwise a plain plate by
  /// level.
  ///
  /// `name` is the network of the row, or `level-3` for a plain plate.
  static func style(
    network: String?, country: String, state: String? = nil, level: Int
  ) -> (name: String, style: ShieldStyle) {
    for name in names(network: network, country: country, state: state, level: level) {
      if let style = styles[name] { return (name, style) }
    }
    return ("level-\(level)", neutral(level: level))
  }

  /// The rows that may hold the sign of a network, the most specific one first.
  private static func names(
    network: String?, country: String, state: String?, level: Int
  ) -> [String] {
    guard let network else { return [] }
    // Signs of one network may differ by level: `GB:A@3`.
    var names = ["\(network)@\(level)"]
    // A number of a province that is not named otherwise: `CA:AB`.
    if network.hasSuffix(":provincial"), let state {
      names.append(state.replacing("-", with: ":"))
    }
    // `US:TX:FM:Loop` is shown like the network above it if that is known.
    let words = network.split(separator: ":")
    names.append(network)
    for count in stride(from: words.count - 1, to: 1, by: -1) {
      names.append(words.prefix(count).joined(separator: ":"))
    }
    if words.count > 1, words[0] == country { names.append("\(country):*") }
    return names
  }

  private static func neutral(level: Int) -> ShieldStyle {
    switch level {
    case 1: ShieldStyle(form: .rounded, face: .blue, rim: .white, ink: .white)
    case 2: ShieldStyle(form: .rounded, face: .red, rim: .white, ink: .white)
    case 3: ShieldStyle(form: .rounded, face: .yellow, rim: .black, ink: .black)
    case 4, 5: ShieldStyle(form: .rounded, face: .white, rim: .black, ink: .black)
    default: ShieldStyle(form: .rounded, face: .grey, rim: .black, ink: .black)
    }
  }

  private static let europe = """
    e-road rectangle green white white
    AD:CG rectangle red white white
    AD:CS rectangle yellow black black
    AT:A rounded blue white white
    AT:S rounded blue white white
    AT:B rectangle blue white white
    AT:L rectangle yellow black black
    BE:A rounded blue white white
    BE:B rounded blue white white
    BE:N rectangle blue white white
    BE:R rectangle blue white white
    BE:* rectangle white black black
    CH:A pointed red white white
    CH:H rectangle blue white white
    LI:H rectangle blue white white
    CZ:D rectangle red white white
    CZ:R rectangle red white white
    CZ:I rectangle blue white white
    CZ:II rectangle blue white white
    CZ:III rectangle white black black
    SK:D rectangle red white white
    SK:R rectangle red white white
    SK:I rectangle blue white white
    SK:II rectangle blue white white
    DE:A pointed blue white white
    DE:B rectangle yellow black black
    DE:L rectangle white black black
    DE:St rectangle yellow black black
    DE:S rectangle white black black
    DE:K rectangle white black black
    DK:M rounded blue white white
    DK:primary rectangle yellow black black
    DK:secondary rectangle white black black
    DK:O rectangle blue white white
    EE:main rectangle red white white
    EE:side rectangle yellow black black
    ES:A rectangle blue white white
    ES:N rectangle red white white
    ES:regional rectangle orange black black
    ES:regional@4 rectangle green white white
    ES:regional@5 rectangle yellow black black
    FI:main rectangle red white white
    FI:trunk rectangle yellow black black
    FI:regional rectangle white black black
    FI:connecting rectangle blue white white
    FI:local rectangle blue white white
    FR:A rounded red white white
    FR:N rounded red white white
    FR:D rounded yellow black black
    FR:M rounded cyan white white
    FR:C rounded white black black
    FR:CR rounded white black black
    GB:M rounded blue white white
    GB:A rounded green yellow yellow
    GB:A@3 rounded white black black
    GB:B rounded white black black
    GB:* rounded white black black
    GR:A rectangle green white white
    GR:EO rectangle blue white white
    HR:A rectangle green white white
    HR:B rectangle blue white white
    HR:D rectangle blue white white
    HR:county rectangle yellow black black
    HR:L rectangle white black black
    HU:M rectangle blue white white
    HU:main rectangle green white white
    HU:secondary rectangle green white white
    HU:* rectangle white black black
    IE:M rounded blue white white
    IE:N rounded green yellow yellow
    IE:R rounded white black black
    IE:L rounded white black black
    IS:* rectangle blue white white
    IT:A octagon green white white
    IT:RA octagon green white white
    IT:T octagon green white white
    IT:SS rectangle blue white white
    IT:SR rectangle blue white white
    IT:SP rectangle blue white white
    IT:SC rectangle white black black
    LT:A rectangle red white white
    LT:* rectangle yellow black black
    LU:A rounded blue white white
    LU:B rounded red white white
    LU:N rounded red white white
    LU:CR rounded yellow black black
    LV:A rectangle red white white
    LV:P rectangle blue white white
    LV:V rectangle white black black
    NL:A rounded red white white
    NL:N rounded yellow black black
    NL:S rounded blue white white
    NO:E rectangle green white white
    NO:riksvei rectangle green white white
    NO:fylkesvei rectangle white black black
    PL:A rectangle red white white
    PL:S rectangle red white white
    PL:DK rectangle red white white
    PL:DW rectangle yellow black black
    PL:powiat rectangle white black black
    PT:A rectangle blue white white
    PT:IP rectangle green white white
    PT:IC rectangle white black black
    PT:VR rectangle white black black
    PT:N rectangle white black black
    PT:R rectangle yellow black black
    PT:M rectangle orange black black
    PT:CM rectangle white black black
    RO:A rectangle green white white
    RO:DX rectangle red white white
    RO:DN rectangle red white white
    RO:DJ rectangle blue white white
    RO:DC rectangle yellow black black
    BG:A rectangle green white white
    BG:* rectangle blue white white
    RS:A rectangle green white white
    RS:* rectangle blue white white
    SE:E rectangle green white white
    SE:national rectangle blue white white
    SE:county rectangle blue white white
    SE:county@5 rectangle white black black
    SI:A octagon green white white
    SI:H octagon blue white white
    SI:* rectangle yellow black black
    RU:M rectangle blue white white
    RU:* rectangle blue white white
    UA:M rectangle blue white white
    UA:* rectangle blue white white
    BY:M rectangle red white white
    BY:* rectangle red white white
    TR:O rectangle green white white
    TR:D rectangle blue white white

    """

  private static let americas = """
    US:I crowned blue white white caption=INTERSTATE direction
    US:I:Business crowned green white white caption=BUSINESS direction
    US:US federal white black black plate=black direction
    US:county home blue yellow yellow caption=COUNTY direction
    US:FS keystone brown white white direction
    US:* ellipse white black black caption=STATE plate=black direction
    US:AK square white black black caption=ALASKA direction
    US:AL alabama white black black plate=black direction
    US:AR arkansas white black black plate=black direction
    US:AZ arizona white black black caption=ARIZONA plate=black direction
    US:CA spade green white white caption=CALIFORNIA direction
    US:CO square white black black caption=COLORADO direction
    US:CT square white black black direction
    US:DC square white black black caption=D.C. direction
    US:DE ellipse white black black plate=black direction
    US:FL florida grey grey black plate=white direction
    US:GA georgia white black black plate=black direction
    US:HI crest white black black caption=HAWAII plate=black direction
    US:IA ellipse white black black plate=black direction
    US:ID square white black black caption=IDAHO direction
    US:IL square white black black caption=ILLINOIS direction
    US:IN square white black black caption=INDIANA direction
    US:KS sunflower yellow black black plate=black direction
    US:KY ellipse white black black plate=black direction
    US:LA louisiana white black black plate=black direction
    US:MA square white black black direction
    US:MD square white black black caption=MARYLAND direction
    US:ME square white black black direction
    US:MI diamond white black black caption=M plate=black direction
    US:MN square blue white yellow caption=MINNESOTA direction
    US:MO missouri white black black plate=black direction
    US:MS ellipse white black black plate=black direction
    US:MT square white black black caption=MONTANA direction
    US:NC diamond white black black plate=black direction
    US:ND northDakota white black black plate=black direction
    US:NE square white black black caption=NEBRASKA direction
    US:NH square white black black direction
    US:NJ ellipse white black black plate=black direction
    US:NM sun white black black plate=black direction
    US:NV nevada white black black caption=NEVADA plate=black direction
    US:NY badge white black black plate=black direction
    US:OH ohio white black black plate=black direction
    US:OK oklahoma white black black plate=black direction
    US:OR badge white black black caption=OREGON plate=black direction
    US:PA keystone white black black plate=black direction
    US:PR federal white black black plate=black direction
    US:RI square white black black caption=R.I. direction
    US:SC square white blue blue caption=SOUTH_CAROLINA direction
    US:SD southDakota white black black plate=black direction
    US:TN wedge white black black plate=black direction
    US:TX square white black black caption=TEXAS direction
    US:TX:FM texas white white black plate=black direction
    US:TX:Loop square white black black caption=LOOP direction
    US:TX:Spur square white black black caption=SPUR direction
    US:UT beehive white black black plate=black direction
    US:VA heater white black black plate=black direction
    US:VT square green white white caption=VERMONT direction
    US:WA washington white black black plate=black direction
    US:WI wedge white black black plate=black direction
    US:WV square white black black direction
    US:WY square yellow black black caption=WYOMING direction
    CA:transcanada leaf white white green plate=green direction
    CA:QC:A crowned blue white white direction
    CA:QC:R crest green white white direction
    CA:ON:primary crest white black black caption=ONTARIO direction
    CA:ON:secondary wedge white black black direction
    CA:ON crest white black black caption=ONTARIO direction
    CA:AB crest white black black caption=ALBERTA direction
    CA:BC crest white blue blue caption=B.C. direction
    CA:MB crest white black black caption=MANITOBA direction
    CA:NB crest white black black caption=N.B. direction
    CA:NL crest white black black caption=NFLD. direction
    CA:NS crest white black black caption=N.S. direction
    CA:PE crest white black black caption=P.E.I. direction
    CA:QC crest green white white direction
    CA:SK square white green green caption=SASK. direction
    CA:YT crest white black black caption=YUKON direction
    CA:provincial crest white black black direction
    CA:* crest white black black direction
    MX:MEX mexico white black black caption=MEXICO
    MX:state crest white black black
    BR:BR heater white black black caption=BR
    BR:* rounded white black black
    AR:AU rounded blue white white
    AR:RN mexico white black black
    AR:* rectangle white black black
    CL:* heater white black black

    """

  private static let others = """
    AU:M rectangle green yellow yellow
    AU:A rectangle green yellow yellow
    AU:B rectangle green yellow yellow
    AU:C rectangle green yellow yellow
    AU:D rectangle green yellow yellow
    AU:route heater white black black
    NZ:SH heater red white white
    JP:E rounded green white white
    JP:C rounded green white white
    JP:national triangle blue white white caption=国道
    JP:prefectural hexagon blue white white caption=県道
    KR:expressway crowned blue white white
    KR:national ellipse blue white white
    KR:metropolitan rectangle white black black
    KR:local rectangle yellow black black
    CN:expressway rounded green white white band=red caption=国家高速
    CN:S:expressway rounded green white white band=yellow caption=省级高速
    CN:G rounded red white white
    CN:S rounded yellow black black
    CN:X rounded white black black
    CN:* rounded white black black
    TW:national sunflower white green black
    TW:provincial heater blue white white
    HK:route rectangle yellow black black
    IN:NE heater yellow black black
    IN:NH heater yellow black black caption=NH
    IN:SH heater green white white
    ZA:N hexagon blue yellow yellow
    ZA:R hexagon blue yellow yellow
    ZA:M rectangle blue white white
    AE:E heater blue white white
    MY:E rectangle yellow black black
    MY:FT hexagon yellow black black
    """
}
