/// The side of the road on which traffic drives, by country.
public enum DrivingSide {
  /// Whether traffic drives on the left in the country with these ISO 3166-1 letters.
  public static func isLeft(country: String) -> Bool { left.contains(country) }

  private static let left: Set<String> = [
    "AG", "AI", "AU", "BB", "BD", "BM", "BN", "BS", "BT", "BW", "CC", "CK", "CX", "CY", "DM", "FJ",
    "FK", "GB", "GD", "GG", "GS", "GY", "HK", "ID", "IE", "IM", "IN", "JE", "JM", "JP", "KE", "KI",
    "KN", "KY", "LC", "LK", "LS", "MO", "MS", "MT", "MU", "MV", "MW", "MY", "MZ", "NA", "NF", "NP",
    "NR", "NU", "NZ", "PG", "PK", "PN", "SB", "SC", "SG", "SH", "SR", "SZ", "TC", "TH", "TK", "TL",
    "TO", "TT", "TV", "TZ", "UG", "VC", "VG", "VI", "WS", "ZA", "ZM", "ZW",
  ]
}
