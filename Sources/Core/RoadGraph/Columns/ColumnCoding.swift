/// The encoding of a column's records in a file.
public enum ColumnCoding: UInt32, Hashable, Sendable, Codable {
  /// The layout in memory: mapped, not read.
  case raw = 0
  /// Each record a varint.
  case varint = 1
  /// Each record as the zigzag varint of its difference from the previous one.
  case deltas = 2
  /// Records of 32-bit words: a varint of which words differ from the previous record, then a
  /// zigzag delta of each.
  case rows = 3
}

extension ColumnCoding {
  /// The encoded bytes of a column; nil if the records do not fit the coding.
  public func encoded<Element: BitwiseCopyable>(_ column: Column<Element>) -> [UInt8]? {
    let memory = UnsafeRawBufferPointer(column.records)
    switch self {
    case .raw: return Array(memory)
    case .varint, .deltas:
      switch MemoryLayout<Element>.stride {
      case 4: return words(memory.bindMemory(to: UInt32.self))
      case 8: return longs(memory.bindMemory(to: UInt64.self))
      default: return nil
      }
    case .rows:
      guard let width = Self.words(of: Element.self) else { return nil }
      return Self.rows(memory.bindMemory(to: UInt32.self), width: width)
    }
  }

  private func words(_ records: UnsafeBufferPointer<UInt32>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(records.count * 2)
    var last: UInt32 = 0
    for value in records {
      if self == .varint {
        Varint.append(UInt64(value), to: &bytes)
      } else {
        Varint.append(UInt64(Varint.zigzag(Int32(bitPattern: value &- last))), to: &bytes)
        last = value
      }
    }
    return bytes
  }

  private func longs(_ records: UnsafeBufferPointer<UInt64>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(records.count * 5)
    var last: UInt64 = 0
    for value in records {
      if self == .varint {
        Varint.append(value, to: &bytes)
      } else {
        Varint.append(Varint.zigzag(Int64(bitPattern: value &- last)), to: &bytes)
        last = value
      }
    }
    return bytes
  }

  /// Number of 32-bit words of a record; nil if it is not a whole number, or exceeds the bits of
  /// the mask.
  private static func words<Element>(of type: Element.Type) -> Int? {
    let stride = MemoryLayout<Element>.stride
    return stride % 4 == 0 && stride / 4 <= 56 && stride > 0 ? stride / 4 : nil
  }

  private static func rows(_ records: UnsafeBufferPointer<UInt32>, width: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var last = [UInt32](repeating: 0, count: width)
    for row in stride(from: 0, to: records.count, by: width) {
      var mask: UInt64 = 0
      for k in 0..<width where records[row + k] != last[k] { mask |= 1 << UInt64(k) }
      Varint.append(mask, to: &bytes)
      for k in 0..<width where mask & (1 << UInt64(k)) != 0 {
        let value = records[row + k]
        Varint.append(UInt64(Varint.zigzag(Int32(bitPattern: value &- last[k]))), to: &bytes)
        last[k] = value
      }
    }
    return bytes
  }
}

extension ColumnCoding {
  /// The records of encoded bytes; nil unless these are exactly `count` complete records.
  ///
  /// Every record takes at least one byte, so a wrong count costs no memory. Linear.
  public func decoded<Element: BitwiseCopyable>(
    _ bytes: UnsafeRawBufferPointer, count: Int, of type: Element.Type
  ) -> Column<Element>? {
    guard count <= bytes.count else { return nil }
    switch self {
    case .raw: return nil
    case .varint, .deltas:
      switch MemoryLayout<Element>.stride {
      case 4:
        return Column(count: count) { words(bytes, $0.bindMemory(to: UInt32.self)) }
      case 8:
        return Column(count: count) { longs(bytes, $0.bindMemory(to: UInt64.self)) }
      default: return nil
      }
    case .rows:
      guard let width = Self.words(of: type) else { return nil }
      return Column(count: count) {
        Self.rows(bytes, $0.bindMemory(to: UInt32.self), width: width)
      }
    }
  }

  private func words(
    _ bytes: UnsafeRawBufferPointer, _ records: UnsafeMutableBufferPointer<UInt32>
  ) -> Bool {
    var offset = 0
    var last: UInt32 = 0
    for k in records.indices {
      guard let value = Varint.read(bytes, &offset), value <= UInt64(UInt32.max) else {
        return false
      }
      let word = UInt32(truncatingIfNeeded: value)
      if self == .varint {
        records[k] = word
      } else {
        last &+= UInt32(bitPattern: Varint.signed(word))
        records[k] = last
      }
    }
    return offset == bytes.count
  }

  private func longs(
    _ bytes: UnsafeRawBufferPointer, _ records: UnsafeMutableBufferPointer<UInt64>
  ) -> Bool {
    var offset = 0
    var last: UInt64 = 0
    for k in records.indices {
      guard let value = Varint.read(bytes, &offset) else { return false }
      if self == .varint {
        records[k] = value
      } else {
        last &+= UInt64(bitPattern: Varint.signed(value))
        records[k] = last
      }
    }
    return offset == bytes.count
  }

  private static func rows(
    _ bytes: UnsafeRawBufferPointer, _ records: UnsafeMutableBufferPointer<UInt32>, width: Int
  ) -> Bool {
    var offset = 0
    for row in stride(from: 0, to: records.count, by: width) {
      guard let mask = Varint.read(bytes, &offset), mask >> UInt64(width) == 0 else { return false }
      for k in 0..<width {
        var value: UInt32 = row == 0 ? 0 : records[row - width + k]
        if mask & (1 << UInt64(k)) != 0 {
          guard let delta = Varint.read(bytes, &offset), delta <= UInt64(UInt32.max) else {
            return false
          }
          value &+= UInt32(bitPattern: Varint.signed(UInt32(truncatingIfNeeded: delta)))
        }
        records[row + k] = value
      }
    }
    return offset == bytes.count
  }
}
