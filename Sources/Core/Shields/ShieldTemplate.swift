/// Outlines of cut-out signs, drawn in a square of 100 units and stretched to the sign.
enum ShieldTemplate: String, Sendable, Hashable {
  /// Interstate routes; also Quebec's autoroutes and the expressways of South Korea.
  case crowned
  /// Routes of the United States.
  case federal
  case spade
  case badge
  case keystone
  case diamond
  case heater
  case crest
  case home
  case wedge
  case hexagon
  case triangle
  case beehive
  case sunflower
  case square
  case florida
  case texas
  case ohio
  case mexico
  // Outlines of states, simplified to a few straight lines.
  case alabama
  case arizona
  case arkansas
  case georgia
  case louisiana
  case missouri
  case nevada
  case northDakota
  case southDakota
  case oklahoma
  /// The head on the signs of Washington.
  case washington
  /// The sun on the signs of New Mexico, with one ray for each group of four.
  case sun
  /// The maple leaf of the Trans-Canada Highway.
  case leaf

  /// Whether the sign is a square with the outline of the state on it, which the number may exceed.
  var isSilhouette: Bool { self == .florida || self == .texas || self == .leaf }

  var outline: ShieldPath { ShieldPath(Self.outlines[self] ?? Self.squareOutline) }

  private static let squareOutline =
    "M 6 1 L 94 1 C 97 1 99 3 99 6 L 99 94 C 99 97 97 99 94 99 "
    + "L 6 99 C 3 99 1 97 1 94 L 1 6 C 1 3 3 1 6 1 Z"

  /// The top of a crowned sign, in its own colour.
  static let crown = ShieldPath(
    "M 13 2 C 24 9 39 10 50 4 C 61 10 76 9 87 2 C 90 7 93.5 14 95.4 22 L 4.6 22 C 6.5 14 10 7 13 2 Z"
  )
  /// The rest of a crowned sign.
  static let crownedBody = ShieldPath(
    "M 3.4 27 L 96.6 27 C 97.6 31 98 35 98 38 C 98 64 76 89 50 98 C 24 89 2 64 2 38 "
      + "C 2 35 2.4 31 3.4 27 Z")

  private static let outlines: [ShieldTemplate: String] = [
    .crowned: "M 13 2 C 24 9 39 10 50 4 C 61 10 76 9 87 2 C 94 12 98 25 98 38 C 98 64 76 89 50 98 "
      + "C 24 89 2 64 2 38 C 2 25 6 12 13 2 Z",
    .federal: "M 18 2 C 28 8 40 8 50 3 C 60 8 72 8 82 2 L 97 16 C 91 24 91 31 95 40 "
      + "C 98 47 99 54 99 60 C 99 78 86 84 73 88 C 62 91 55 94 50 99 C 45 94 38 91 27 88 "
      + "C 14 84 1 78 1 60 C 1 54 2 47 5 40 C 9 31 9 24 3 16 Z",
    .spade: "M 50 1 C 57 9 67 12 77 14 C 89 30 99 50 99 68 C 99 84 88 91 74 93 C 64 94 56 96 50 99 "
      + "C 44 96 36 94 26 93 C 12 91 1 84 1 68 C 1 50 11 30 23 14 C 33 12 43 9 50 1 Z",
    .badge: "M 10 9 C 24 15 42 12 50 2 C 58 12 76 15 90 9 L 98 26 C 92 34 92 43 96 53 "
      + "C 100 70 90 82 75 88 C 65 92 56 95 50 99 C 44 95 35 92 25 88 C 10 82 0 70 4 53 "
      + "C 8 43 8 34 2 26 Z",
    .keystone: "M 21 2 L 79 2 L 81 18 L 98 18 L 85 98 L 15 98 L 2 18 L 19 18 Z",
    .diamond: "M 46 4 C 48 2 52 2 54 4 L 96 46 C 98 48 98 52 96 54 L 54 96 C 52 98 48 98 46 96 "
      + "L 4 54 C 2 52 2 48 4 46 Z",
    .heater: "M 3 6 L 97 6 C 98 42 92 76 50 98 C 8 76 2 42 3 6 Z",
    .crest: "M 6 2 L 94 2 C 97 2 99 4 99 7 L 99 54 C 99 78 74 90 50 99 C 26 90 1 78 1 54 L 1 7 "
      + "C 1 4 3 2 6 2 Z",
    .home:
      "M 16 2 L 84 2 C 87 2 89 3 90 6 L 99 38 C 100 41 99 43 97 45 L 54 97 C 52 99 48 99 46 97 "
      + "L 3 45 C 1 43 0 41 1 38 L 10 6 C 11 3 13 2 16 2 Z",
    .wedge: "M 12 2 L 88 2 C 97 2 101 9 97 16 L 58 94 C 55 99 45 99 42 94 L 3 16 C -1 9 3 2 12 2 Z",
    .hexagon: "M 27 2 L 73 2 L 99 50 L 73 98 L 27 98 L 1 50 Z",
    .triangle: "M 20 3 L 80 3 C 96 3 102 14 96 25 L 63 90 C 57 100 43 100 37 90 L 4 25 "
      + "C -2 14 4 3 20 3 Z",
    .beehive:
      "M 50 2 C 62 2 70 7 72 16 C 82 18 85 25 83 32 C 92 36 93 44 91 50 C 98 54 98 63 96 69 "
      + "C 99 76 98 83 96 88 L 96 98 L 4 98 L 4 88 C 2 83 1 76 4 69 C 2 63 2 54 9 50 "
      + "C 7 44 8 36 17 32 C 15 25 18 18 28 16 C 30 7 38 2 50 2 Z",
    .florida:
      "M 2 12 L 40 10 L 43 17 L 66 15 L 72 9 L 78 14 C 80 28 88 42 93 54 C 98 64 99 76 96 90 "
      + "C 92 98 84 96 80 88 C 74 78 68 70 66 60 C 66 50 64 42 58 36 C 52 32 46 38 40 36 "
      + "C 36 28 26 24 4 24 Z",
    .texas: "M 32 2 L 51 2 L 51 25 C 60 30 72 33 88 33 L 95 36 L 98 58 L 90 67 C 78 75 66 81 65 98 "
      + "C 54 92 50 82 44 72 C 38 62 30 62 25 70 C 16 64 14 54 2 46 L 32 46 Z",
    .ohio:
      "M 3 12 L 32 10 C 40 18 52 17 60 11 C 72 8 84 6 97 2 L 97 46 C 92 62 82 76 71 84 L 60 98 "
      + "C 50 90 40 95 30 88 L 3 86 Z",
    .mexico: "M 7 8 C 18 9 25 6 30 1 C 42 6 58 6 70 1 C 75 6 82 9 93 8 C 90 22 90 32 95 44 "
      + "C 100 66 84 84 50 99 C 16 84 0 66 5 44 C 10 32 10 22 7 8 Z",
    .sunflower: sunflowerOutline,
    .alabama:
      "M 14 2 L 84 2 L 97 66 L 97 85 L 43 85 L 43 96 L 31 98 L 27 87 L 21 97 L 11 96 L 6 60 Z",
    .arizona: "M 6 2 L 98 2 L 98 98 L 64 98 L 5 73 L 3 66 L 11 50 L 8 40 L 14 28 L 5 20 Z",
    .arkansas: "M 3 8 L 92 8 L 90 22 L 98 22 L 89 46 L 79 66 L 79 93 L 14 93 L 14 79 L 8 76 Z",
    .georgia:
      "M 7 2 L 58 2 L 56 10 L 76 28 L 92 50 L 98 60 L 91 86 L 79 88 L 77 98 L 70 93 L 21 93 "
      + "L 17 83 L 15 62 Z",
    .louisiana:
      "M 3 4 L 66 4 L 68 22 L 60 42 L 58 54 L 84 54 L 86 66 L 96 76 L 90 82 L 98 94 L 84 96 "
      + "L 74 90 L 58 96 L 44 87 L 26 92 L 6 87 L 10 66 L 4 44 Z",
    .missouri:
      "M 5 3 L 67 3 L 74 22 L 87 42 L 85 54 L 98 76 L 98 91 L 91 98 L 84 98 L 86 88 L 17 88 "
      + "L 17 34 L 10 18 Z",
    .nevada: "M 4 2 L 96 2 L 96 74 L 87 72 L 82 80 L 84 98 L 4 48 Z",
    .northDakota: "M 3 6 L 87 6 L 91 28 L 90 46 L 96 62 L 97 94 L 3 94 Z",
    .southDakota:
      "M 3 6 L 97 6 L 94 14 L 97 22 L 97 76 L 94 86 L 98 96 L 84 88 L 66 88 L 59 82 L 3 82 Z",
    .oklahoma:
      "M 1 10 L 99 10 L 99 30 L 97 88 L 84 83 L 70 88 L 54 82 L 38 80 L 27 72 L 27 29 L 1 29 Z",
    .washington: "M 24 98 L 26 82 C 15 84 11 79 14 71 L 10 65 L 14 60 L 4 53 C 10 47 16 38 16 28 "
      + "C 16 8 36 2 54 2 C 78 2 91 18 89 38 C 89 52 81 58 81 68 L 92 77 C 98 82 98 90 98 98 Z",
    .sun: "M 42 1 L 58 1 L 58 13 C 73 16 84 27 87 42 L 99 42 L 99 58 L 87 58 C 84 73 73 84 58 87 "
      + "L 58 99 L 42 99 L 42 87 C 27 84 16 73 13 58 L 1 58 L 1 42 L 13 42 C 16 27 27 16 42 13 Z",
    .leaf: "M 50 1 L 59 17 L 71 11 L 68 36 L 80 24 L 84 33 L 98 31 L 93 47 L 99 53 L 74 76 L 77 86 "
      + "L 54 82 L 55 99 L 45 99 L 46 82 L 23 86 L 26 76 L 1 53 L 7 47 L 2 31 L 16 33 L 20 24 "
      + "L 32 36 L 29 11 L 41 17 Z",
  ]

  /// Eighteen petals around a disc.
  private static let sunflowerOutline =
    "M 50 1 L 56.8 11.6 L 66.8 4 L 69.5 16.2 L 81.5 12.5 L 79.9 24.9 L 92.4 25.5 L 86.6 "
    + "36.7 L 98.3 41.5 L 89 50 L 98.3 58.5 L 86.6 63.3 L 92.4 74.5 L 79.9 75.1 L 81.5 87.5 "
    + "L 69.5 83.8 L 66.8 96 L 56.8 88.4 L 50 99 L 43.2 88.4 L 33.2 96 L 30.5 83.8 L 18.5 "
    + "87.5 L 20.1 75.1 L 7.6 74.5 L 13.4 63.3 L 1.7 58.5 L 11 50 L 1.7 41.5 L 13.4 36.7 L "
    + "7.6 25.5 L 20.1 24.9 L 18.5 12.5 L 30.5 16.2 L 33.2 4 L 43.2 11.6 Z"

  /// The position of the number: left, top, right, bottom in hundredths; the second set with a
  /// caption.
  func numberArea(_ area: ShieldArea, hasCaption: Bool) -> ShieldArea {
    switch self {
    case .crowned: area.part(14, 37, 86, 77)
    case .federal: area.part(13, 26, 87, 75)
    case .spade: hasCaption ? area.part(14, 41, 86, 83) : area.part(14, 34, 86, 82)
    case .badge: hasCaption ? area.part(16, 35, 84, 76) : area.part(15, 28, 85, 77)
    case .keystone: hasCaption ? area.part(20, 38, 80, 82) : area.part(19, 28, 81, 80)
    case .diamond: hasCaption ? area.part(23, 38, 77, 74) : area.part(22, 31, 78, 69)
    case .heater: hasCaption ? area.part(14, 32, 86, 70) : area.part(13, 20, 87, 64)
    case .crest: hasCaption ? area.part(13, 34, 87, 74) : area.part(13, 20, 87, 68)
    case .home: hasCaption ? area.part(18, 26, 82, 58) : area.part(16, 16, 84, 56)
    case .wedge: area.part(22, 12, 78, 51)
    case .triangle: hasCaption ? area.part(21, 25, 79, 58) : area.part(22, 12, 78, 51)
    case .hexagon: hasCaption ? area.part(18, 34, 82, 76) : area.part(18, 28, 82, 72)
    case .beehive: area.part(18, 36, 82, 84)
    case .sunflower: area.part(22, 30, 78, 68)
    case .square: hasCaption ? area.part(10, 36, 90, 86) : area.part(10, 22, 90, 78)
    case .florida: area.part(6, 44, 66, 88)
    case .texas: area.part(31, 36, 91, 62)
    case .ohio: area.part(13, 26, 87, 74)
    case .alabama: area.part(15, 20, 86, 72)
    case .arizona: hasCaption ? area.part(18, 32, 92, 70) : area.part(18, 18, 92, 66)
    case .arkansas: area.part(14, 20, 78, 80)
    case .georgia: area.part(22, 36, 84, 82)
    case .louisiana: area.part(11, 38, 58, 80)
    case .missouri: area.part(22, 32, 80, 80)
    case .nevada: hasCaption ? area.part(12, 24, 90, 56) : area.part(12, 12, 90, 50)
    case .northDakota: area.part(10, 26, 88, 76)
    case .southDakota: area.part(10, 20, 91, 72)
    case .oklahoma: area.part(32, 22, 94, 74)
    case .washington: area.part(24, 30, 80, 68)
    case .sun: area.part(21, 31, 79, 69)
    case .leaf: area.part(22, 41, 78, 70)
    case .mexico: hasCaption ? area.part(15, 30, 85, 72) : area.part(15, 20, 85, 68)
    }
  }

  /// The position of a caption; nil for signs without space for one.
  func captionArea(_ area: ShieldArea) -> ShieldArea? {
    switch self {
    case .crowned: area.part(17, 11, 83, 20)
    case .spade: area.part(24, 20, 76, 33)
    case .keystone: area.part(22, 23, 78, 33)
    case .diamond: area.part(36, 18, 64, 33)
    case .heater: area.part(12, 12, 88, 24)
    case .crest: area.part(12, 11, 88, 25)
    case .home: area.part(17, 11, 83, 21)
    case .square: area.part(8, 11, 92, 27)
    case .badge: area.part(22, 19, 78, 29)
    case .triangle: area.part(32, 9, 68, 20)
    case .hexagon: area.part(30, 12, 70, 26)
    case .arizona: area.part(18, 13, 92, 26)
    case .nevada: area.part(14, 9, 88, 20)
    case .mexico: area.part(20, 14, 80, 25)
    default: nil
    }
  }
}
