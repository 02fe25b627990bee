import RealModule

extension TownCanvas {
  /// Cosine and sine of a part of the full turn.
  static func circle(_ turn: Double) -> (cosine: Double, sine: Double) {
    (Double.cos(2 * .pi * turn), Double.sin(2 * .pi * turn))
  }
}
