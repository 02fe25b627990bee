import Cartography
import ShieldImage
import Shields

/// The shields of a road on the map, side by side, in the form of its country.
struct MapShields {
  /// Height of a shield, and the gap between two, in CSS pixels.
  private static let heightPx = 21.0
  private static let gapPx = 3.0
  /// A road shows at most so many of its numbers.
  private static let most = 2

  private let pictures: [ShieldPicture]

  /// Reads the name that the style gives to the picture of a road's shields: `shield`, numbers, country, state, networks
  /// and levels in a line each, those of several numbers separated by `;`.
  ///
  /// nil for another picture, and if no number has a shield.
  init?(image: String, isNight: Bool) {
    let lines = image.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count == 6, lines[0] == "shield" else { return nil }
    func parts(_ line: String) -> [String] {
      line.split(separator: ";", omittingEmptySubsequences: false).map {
        String($0.trimmingPrefix(" "))
      }
    }
    let (networks, levels) = (parts(lines[4]), parts(lines[5]))
    let numbers = parts(lines[1]).filter { !$0.isEmpty }
    pictures = numbers.prefix(Self.most).enumerated().compactMap { index, number in
      func part(_ list: [String]) -> String? {
        list.indices.contains(index) && !list[index].isEmpty ? list[index] : nil
      }
      let properties = ShieldProperties(
        number: number, level: part(levels).flatMap { Int($0) }, country: lines[2],
        state: lines[3].isEmpty ? nil : lines[3], network: part(networks))
      return try? Shield.make(
        properties, box: ShieldBox(widthPx: 8 * Self.heightPx, heightPx: Self.heightPx),
        night: isNight)
    }
    guard !pictures.isEmpty else { return nil }
  }

  var height: Double { Self.heightPx }
  var width: Double {
    pictures.map(Self.width).reduce(Self.gapPx * Double(pictures.count - 1), +)
  }

  /// Draws them around a point.
  func draw(on canvas: Canvas, center: ScreenPoint, opacity: Double) {
    canvas.group(opacity: opacity) {
      var left = center.x - width / 2
      for picture in pictures {
        let wide = Self.width(picture)
        picture.draw(
          on: canvas.context, x: left, y: center.y - height / 2, width: wide, height: height)
        left += wide + Self.gapPx
      }
    }
  }

  private static func width(_ picture: ShieldPicture) -> Double {
    heightPx * picture.drawing.width / picture.drawing.height
  }
}
