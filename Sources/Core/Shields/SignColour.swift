/// The colours of road signs.
enum SignColour: String, Sendable {
  case blue, green, red, yellow, orange, white, black, brown, cyan, grey, none

  /// `#rrggbb`; darker at night, so that a sign does not glare in a dark picture.
  func hex(night: Bool) -> String {
    switch self {
    case .blue: night ? "#123f7d" : "#0b55a5"
    case .green: night ? "#0b5a36" : "#00764a"
    case .red: night ? "#8e1722" : "#c4161c"
    case .yellow: night ? "#c9a227" : "#ffd200"
    case .orange: night ? "#b4611a" : "#f28c1e"
    case .white: night ? "#d5dae1" : "#ffffff"
    case .black: night ? "#0e1013" : "#16181c"
    case .brown: night ? "#553118" : "#74431f"
    case .cyan: night ? "#14708f" : "#0a9ed0"
    case .grey: night ? "#8b939e" : "#e4e7eb"
    case .none: "none"
    }
  }
}
