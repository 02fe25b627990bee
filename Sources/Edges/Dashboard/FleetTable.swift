import BusProtocol
import MessagePack

/// The last location of each vehicle, in columns that are sent to browsers as they are.
///
/// A vehicle keeps its row while it is known. Names are sent in blocks, only when they change.
struct FleetTable {
  /// Maximum number of vehicles; further ones are left out.
  static let most = 100_000
  /// Number of names in one block.
  static let blockSize = 256
  /// Milliseconds without a message after which a vehicle is shown as silent.
  static let silentMS: Int64 = 6_000
  /// Milliseconds after which its row is given to another one.
  static let goneMS: Int64 = 900_000
  /// Bytes before the columns.
  static let headSize = 16

  private(set) var names: [String] = []
  private var rows: [String: Int] = [:]
  private var freeRows: [Int] = []
  private var latE7: [Int32] = []
  private var lonE7: [Int32] = []
  private var bearings: [UInt8] = []
  private var speeds: [UInt8] = []
  private var states: [UInt8] = []
  private var heardAt: [MonotonicTime] = []
  private var changedBlocks: Set<Int> = []
  /// Number of vehicles for which there was no row.
  private(set) var leftOut = 0

  /// Records a location.
  mutating func ingest(_ fix: FleetFix, of vehicle: String, at time: MonotonicTime) {
    guard let row = rows[vehicle] ?? newRow(vehicle) else {
      leftOut += 1
      return
    }
    latE7[row] = Int32((fix.latDeg * 1e7).rounded())
    lonE7[row] = Int32((fix.lonDeg * 1e7).rounded())
    bearings[row] = UInt8(Int((fix.bearingDeg * 256 / 360).rounded()) & 255)
    speeds[row] = UInt8(Double.minimum(255, (fix.speedMPS * 2).rounded()))
    states[row] = fix.state.rawValue
    heardAt[row] = time
  }

  private mutating func newRow(_ vehicle: String) -> Int? {
    let row: Int
    if let free = freeRows.popLast() {
      row = free
      names[row] = vehicle
    } else {
      guard names.count < Self.most else { return nil }
      row = names.count
      names.append(vehicle)
      latE7.append(0)
      lonE7.append(0)
      bearings.append(0)
      speeds.append(0)
      states.append(0)
      heardAt.append(.now)
    }
    rows[vehicle] = row
    changedBlocks.insert(row / Self.blockSize)
    return row
  }

  /// Marks vehicles that have been silent, and frees the rows of those that are gone.
  mutating func age(now: MonotonicTime) {
    for row in names.indices where states[row] != FleetFix.State.gone.rawValue {
      let silence = now.milliseconds(since: heardAt[row])
      guard silence > Self.silentMS else { continue }
      states[row] = FleetFix.State.silent.rawValue
      guard silence > Self.goneMS else { continue }
      states[row] = FleetFix.State.gone.rawValue
      rows[names[row]] = nil
      freeRows.append(row)
    }
  }

  /// The frame of all rows, little-endian: version (u32), number of rows (u32), `sentMS` (f64), then the
  /// columns latitude and longitude (i32, 1e-7 degrees), bearing (u8, 1/256 of a turn), speed (u8, half
  /// metres per second) and state (u8).
  func frame(sentMS: Double) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headSize + names.count * 11)
    func append(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
    append(UInt32(1))
    append(UInt32(names.count))
    append(sentMS.bitPattern)
    for value in latE7 { append(value) }
    for value in lonE7 { append(value) }
    bytes += bearings
    bytes += speeds
    bytes += states
    return bytes
  }

  /// The blocks of names that have changed since the last time, by number.
  mutating func drainBlocks() -> [(number: Int, names: ArraySlice<String>)] {
    defer { changedBlocks = [] }
    return changedBlocks.sorted().map { number in
      let start = number * Self.blockSize
      return (number, names[start..<min(names.count, start + Self.blockSize)])
    }
  }
}
