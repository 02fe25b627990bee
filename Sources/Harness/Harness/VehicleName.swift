import BusProtocol

/// The name of a vehicle in a stack: the first part of its topics.
public enum VehicleName {
  /// Whether `name` consists of small letters, digits and `. _ -`, begins with a letter or digit, and has at most 63 bytes.
  public static func isValid(_ name: String) -> Bool { TopicName.isValidVehicle(name) }
}
