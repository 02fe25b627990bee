/// Eight streets that meet at one place, 45 degrees apart: each turn in its grade.
enum StarScenes {
  static var all: [Scene] {
    [star(nil, "eight streets meet"), star("GB", "eight streets meet on the left")]
  }

  // Clockwise from the north; opposite arms are one street.
  private static let arms = Array("abcdefgh")

  /// What a driver is told who leaves by the arm that lies so many eighths clockwise from his own.
  private static let words = [
    1: "sharp_left", 2: "left", 3: "slight_left", 4: "", 5: "slight_right", 6: "right",
    7: "sharp_right",
  ]

  private static func star(_ country: String?, _ title: String) -> Scene {
    var reported: [(way: String, words: String)] = []
    for from in arms.indices {
      for (step, word) in words.sorted(by: { $0.key < $1.key }) {
        let to = (from + step) % arms.count
        reported.append(("\(arms[from])x\(arms[to])", word))
      }
    }
    return Scene(
      title: title, drawing: "h a b\n\ng x c\n\nf e d",
      ways: [
        ("axe", "highway=residential name=North Street"),
        ("bxf", "highway=residential name=Hill Street"),
        ("cxg", "highway=residential name=East Street"),
        ("dxh", "highway=residential name=River Street"),
      ], cell: 40, country: country, reported: reported)
  }
}
