import Foundation

/// How values follow what they should be.
public enum Motion {
  /// The share of a difference that is made up within a step, for a difference that falls to 1/e in
  /// `settleS` seconds.
  public static func share(_ stepS: Double, settleS: Double) -> Double { 1 - exp(-stepS / settleS) }
}
