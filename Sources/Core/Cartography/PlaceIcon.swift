/// The icons of places on the map, one for each category of the tiles.
public enum PlaceIcon {
  /// By category: the colour of the disc, and a path in a square of 24 by 24; those of the page.
  private static let pictures: [String: (colour: String, path: String)] = [
    "station": (
      "#2563a8",
      "M7 3h10a2 2 0 0 1 2 2v9a3 3 0 0 1-3 3H8a3 3 0 0 1-3-3V5a2 2 0 0 1 2-2zM8 6v4h8V6zM8 13h2v2H8zM14 13h2v2h-2zM8 18l-2 3h2l1-1.5h6l1 1.5h2l-2-3z"
    ),
    "health": (
      "#c62f3b",
      "M10 5h4v5h5v4h-5v5h-4v-5H5v-4h5z"
    ),
    "fuel": (
      "#3a4fb0",
      "M5 4h9v16H5zM7 6h5v4H7zM15 9h2l2 3v5a1.5 1.5 0 0 1-3 0v-4h-1z"
    ),
    "charging": (
      "#1a7f5a",
      "M13 3L6 13h5l-1 8 8-11h-5z"
    ),
    "parking": (
      "#2563a8",
      "M8 4h6a5 5 0 0 1 0 10h-3v6H8zM11 7v4h3a2 2 0 0 0 0-4z"
    ),
    "sight": (
      "#8a5a2b",
      "M12 3l2.6 6 6.4.6-4.8 4.3 1.4 6.4L12 17l-5.6 3.3 1.4-6.4L3 9.6 9.4 9z"
    ),
    "lodging": (
      "#7a3f9d",
      "M3 6h2v6h15v7h-2v-3H5v3H3zM8 7a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM11 8h6a3 3 0 0 1 3 3v.5h-9z"
    ),
    "food": (
      "#b3541e",
      "M7 3v6a2 2 0 0 0 1 1.7V21h2V10.7A2 2 0 0 0 11 9V3h-1v5h-.5V3h-1v5H8V3zM16 3c-2 1-3 4-3 7l1.5 2v9H16z"
    ),
    "shop": (
      "#9c3c7c",
      "M6 8h12l1 13H5zM9 8a3 3 0 0 1 6 0h-1.6a1.4 1.4 0 0 0-2.8 0z"
    ),
    "leisure": (
      "#3b7a33",
      "M12 3l6 9h-3l4 5h-6v4h-2v-4H5l4-5H6z"
    ),
    "office": (
      "#566270",
      "M5 21V9l7-5 7 5v12h-5v-5h-4v5z"
    ),
    "stop": (
      "#4a7196",
      "M6 4h12v12H6zM8 6v5h8V6zM8 13h2v1.6H8zM14 13h2v1.6h-2zM7 17h3v2H7zM14 17h3v2h-3z"
    ),
    "other": (
      "#566270",
      "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8z"
    ),
  ]

  /// The icon of a category, in a square of 20: a disc with a picture.
  public static func icon(category: String) -> Icon? {
    guard let picture = pictures[category] else { return nil }
    let disc = VectorPath.circle(ScreenPoint(x: 10, y: 10), radius: 9.25)
    let path = VectorPath(svg: picture.path).scaled(by: 0.5, movedBy: 4)
    return Icon(
      width: 20, height: 20,
      [
        .init(disc, .fill, colour: picture.colour),
        .init(disc, .stroke(width: 1.25), colour: "#ffffff"), .init(path, .fill, colour: "#ffffff"),
      ])
  }
}

extension VectorPath {
  /// The path in another size, moved by the same number of units to the right and down.
  func scaled(by factor: Double, movedBy shift: Double) -> VectorPath {
    func moved(_ point: ScreenPoint) -> ScreenPoint {
      ScreenPoint(x: point.x * factor + shift, y: point.y * factor + shift)
    }
    var path = VectorPath()
    for step in steps {
      switch step {
      case .move(let to): path.move(moved(to))
      case .line(let to): path.line(moved(to))
      case .curve(let a, let b, let to): path.curve(moved(a), moved(b), moved(to))
      case .close: path.close()
      }
    }
    return path
  }
}
