/// The rules of road numbers by country, from the numbering laws and OpenStreetMap's tagging pages.
///
/// The first row that covers a number counts; `RoadNumberRule` describes a row.
enum RoadNumberTable {
  /// Rules by ISO 3166-1 letters, read once.
  static let rules: [String: [RoadNumberRule]] = {
    var rules: [String: [RoadNumberRule]] = [:]
    for row in rows {
      rules[row.country, default: []] += [RoadNumberRule(row.rule)].compactMap(\.self)
    }
    return rules
  }()

  /// Rows that do not follow the grammar; a test ensures that there are none.
  static var unreadable: [String] {
    rows.filter { RoadNumberRule($0.rule) == nil }.map { "\($0.country) \($0.rule)" }
  }

  private static var rows: [(country: String, rule: Substring)] {
    let states = usStates.split(separator: " ").map {
      (country: "US", rule: "\($0)=\($0):3:d"[...])
    }
    return (european + others).split(separator: "\n").flatMap { line in
      let words = line.split(separator: " ")
      return words.dropFirst().map { (country: String(words[0]), rule: $0) }
    } + states
  }

  /// Networks that span several countries.
  ///
  /// European roads have the extent of the road that carries them.
  static let shared: [RoadNumberRule] = ["E=e-road:1-6:c", "AH=AsianHighway:1-6:c"]
    .compactMap { RoadNumberRule($0) }

  /// Names of networks in OpenStreetMap that differ from those of the table.
  static let aliases: [String: String] = [
    "BAB": "DE:A", "AH": "AsianHighway", "E-road": "e-road",
    "GB:motorway": "GB:M", "PT:motorway": "PT:A", "CZ:national": "CZ:I", "NZ": "NZ:SH",
  ]

  /// Last words of United States networks that stand for a kind of route, not a county.
  static let routeKinds: Set<String> = [
    "Alternate", "Bypass", "Business", "Connector", "Express", "Loop", "Spur", "Toll", "Truck",
    "Scenic", "Parkway", "Beltway", "Link", "Supplemental", "Historic", "Future", "Turnpike",
  ]

  /// Dependencies with their own codes that number roads like another country.
  static let territories: [String: String] = [
    "AX": "FI", "GP": "FR", "MQ": "FR", "GF": "FR", "RE": "FR", "YT": "FR", "PM": "FR", "BL": "FR",
    "MF": "FR", "PR": "US", "GU": "US", "VI": "US", "AS": "US", "MP": "US", "SJ": "NO", "FO": "DK",
    "IM": "GB", "JE": "GB", "GG": "GB",
  ]

  private static let usStates = """
    AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM \
    NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR
    """

  private static let european = """
    AD CG=CG:2:c CS=CS:3:c
    AL A=A:1:c SH=SH:2:c
    AT A=A:1:c S=S:1:c B=B:2:c L=L:4:c
    BA A=A:1:c M=M:2 R=R:3
    BE A=A:1:c B=B:1-2:c R=R:1-3:c N#1-2=N:2:c N=N:3:c T=T:4:c
    BG A=A:1:c I=I:2:d II=II:3:d III=III:4:d
    BY М=M:1 M=M:1 Р=P:3 P=P:3 Н=H:4 H=H:4
    CH A=A:1:d H=H:2:d -=H:2
    CY A=A:1:c B=B:2:c E=E:3:c F=F:4:c
    CZ D=D:1:c R=R:1:c I=I:2:d II=II:3:d III=III:4:d -#1-2=I:2 -#3=II:3 -#4-6=III:4
    DE A<4=A:1:d B=B:2:d L=L:4 ST=St:4 S=S:4 K=K:5 *=K:5
    DK M=M:1:d O=O:4:c -#1-2=primary:2 -#3=secondary:3
    EE -#1-2=main:2-3 -#3=side:4 -#4-6=side:4
    ES A#1-2=A:1 AP=A:1 R#1-2=A:1 N=N:2 *#1-2=regional:1-3 *#3=regional:3 *#4-5=regional:4
    FI -@1-39=main:1 -@40-99=trunk:2 -#3=regional:3 -#4=connecting:4 -#5=local:5
    FR A=A:1 N=N:2 RN=N:2 D=D:4 RD=D:4 M=M:4 RM=M:4 C=C:5 VC=C:5 CR=CR:6
    GB A~(M)=M:1:c M=M:1:c A=A:2-3:c B=B:4:c C=C:5:c U=U:6:c
    GR A=A:1:c ΕΟ=EO:2:d EO=EO:2:d -=EO:2-3
    HR A=A:1:c B=B:1-2:c D=D:2:c Ž=county:4:c Z=county:4:c L=L:5:c
    HU M=M:1:c -#1-2=main:2 -#3=secondary:3 -#4=connecting:4 -#5=local:5
    IE M=M:1:c N=N:2:c R=R:3:c L=L:4:c
    IS -@1-1=ring:1 -#1-2=main:2 -#3=county:3 -#4=local:4
    IT A=A:1:c RA=RA:1:c T=T:1:c SS=SS:2:c NSA=SS:2:c SR=SR:3:c SP=SP:4:c SPEXSS=SP:4:c SC=SC:5:c
    LI -=H:2
    LT A=A:1:c -#3=regional:3 -#4=district:4
    LU A=A:1:c B=B:2:c N=N:3:c CR=CR:4:c
    LV A=A:1:c P=P:3:c V=V:4:c
    MD M=M:1:c R=R:2:c L=L:4:c
    ME A=A:1:c M=M:2 R=R:3
    MK A=A:1:c M=M:2 R=R:3
    MT -=main:2-4
    NL A=A:1:c N@1-99=N:2:c N=N:3:c S=S:4:c
    NO E=E:1:c RV=riksvei:2:d R=riksvei:2:d FV=fylkesvei:3-4:d -<3=riksvei:2 -=fylkesvei:3-4
    PL A=A:1:c S=S:1:c DK=DK:2:d DW=DW:3:d -#1-2=DK:2 -#3=DW:3 -#4=powiat:5
    PT A=A:1:c IP=IP:2:c IC=IC:2:c VR=VR:2:c N=N:3 EN=N:3 ER=R:4 R=R:4 M=M:5 EM=M:5 CM=CM:6
    RO A=A:1:c DEX=DX:1:c DX=DX:1:c DN=DN:2:c VO=DN:2:c DJ=DJ:4:c DC=DC:5:c
    RS A=A:1:c -#1-2=IB:2 -#3=IIA:3
    RU М=M:1 M=M:1 А=A:2 A=A:2 Р=P:2 P=P:2 -=regional:4
    SE E=E:1:c -@1-99=national:2 -#3=county:3 -#4=county:5 *=county:5
    SI A=A:1:c H=H:1:c -#1=main:2 -#3=regional:3 -#4-6=local:5
    SK D=D:1:c R=R:1:c I=I:2:d II=II:3:d III=III:4:d -#1-2=I:2 -#3=II:3 -#4-7=III:4
    TR O=O:1:t D=D:2 -=provincial:4
    UA М=M:1 M=M:1 Н=H:2 H=H:2 Р=P:3 P=P:3 Т=T:4 T=T:4 О=O:5 С=C:6
    XK A=A:1:c R=R:2 N=N:2:c M=M:2

    """

  private static let others = """
    AE E=E:1:c D=D:2:c
    AR AU=A:1 RN=N:1:d RP=P:3:d
    AU M=M:1:c A=A:2:c B=B:3:c C=C:4:c D=D:4:c -=route:2-4
    BR BR=BR:1:d *=state:3
    CA TCH=transcanada:1:d !=transcanada:1:d !=QC_A:1:d !=QC_R:3:d !=ON_primary:2:d \
    !=ON_secondary:4:d !=ON_tertiary:5:d !=primary:2:d !=secondary:3:d !=tertiary:4:d \
    QEW=ON_primary:2 A=QC_A:1:d R=QC_R:3:d -=provincial:2-4
    CL -=national:1-3 *=regional:3-4
    CN G#3=G:2 G=expressway:1 S#1-2=S_expressway:2 S=S:3 X=X:5 Y=Y:6 C=C:6 !=national:2
    HK -=route:1-2
    IL -#1-2=national:1-2 -#3=regional:3 -#4=local:4
    IN NE=NE:1 NH=NH:2:d SH=SH:3 MDR=MDR:5
    JP E=E:1:c C=C:1:c 国道=national:2:d 県道=prefectural:3:d 都道=prefectural:3:d 府道=prefectural:3:d 道道=prefectural:3:d \
    !=national:2:d !=prefectural:3:d -<3=national:2:d -=prefectural:3-4:d
    KR !=expressway:1:d !=national:2:d !=metropolitan:3:d !=local:4:d -<2=expressway:1:d -<3=national:2:d -=local:3-4:d
    MA A=A:1:c N=N:2:c RN=N:2:c R=R:3:c RR=R:3:c P=P:4:c RP=P:4:c
    MX MEX~D=MEX:1:d MEX=MEX:2:d *=state:3
    MY E=E:1:c FT=FT:2:d -=FT:2-3
    NZ SH=SH:1-2:d -=SH:1-2
    PH E=E:1:c N=N:2:c
    SG *=expressway:1-3
    TH -#1=main:1 -#2=main:2 -#3=main:3 -#4=provincial:4
    TN A=A:1:c RN=N:2:c N=N:2:c RR=R:3:c
    TW 國=national:1:d 台=provincial:2:d 縣=county:4:d 市=county:4:d 鄉=township:5:d 區=township:5:d
    US I~BUS=I_Business:4:n I~BL=I_Business:4:n I~BS=I_Business:4:n I=I:1:d US=US:2:d SR=STATE:3:d SH=STATE:3:d STH=STATE:3:d HWY=STATE:3:d ROUTE=STATE:3:d \
    RTE=STATE:3:d K=KS:3:d M=MI:3:d FM=TX_FM:4:d RM=TX_FM:4:d LOOP=TX_Loop:3:d SPUR=TX_Spur:3:d \
    CR=county:5:d CH=county:5:d CTH=county:5:t CSAH=county:5:d CORD=county:5:d FS=FS:6:d FR=FS:6:d
    VN CT=CT:1 QL=QL:2 TL=province:3 ĐT=province:3
    ZA N=N:1:c R@1-99=R:2:c R=R:3:c M=M:4:c
    """
}
