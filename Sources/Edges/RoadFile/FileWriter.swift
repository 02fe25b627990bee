import RoadGraph

/// Writes columns as a map file, next to its final path, and then renames it.
///
/// So no process ever sees half a map.
struct FileWriter: ColumnSink {
  typealias Failure = RoadFileError

  private struct Entry {
    var section: FileSection
    /// Encoded bytes; nil if the column has the same layout in memory and in the file.
    var coded: [UInt8]?
    var memory: UnsafeRawBufferPointer
    var owner: AnyObject?
  }

  private let path: String
  private var entries: [Entry] = []

  init(path: String) { self.path = path }

  mutating func write<Element: BitwiseCopyable>(
    _ name: String, _ column: Column<Element>, _ coding: ColumnCoding
  ) throws(RoadFileError) {
    let memory = UnsafeRawBufferPointer(column.records)
    var section = FileSection(
      name: name, coding: coding, offset: 0, size: UInt64(memory.count),
      recordSize: UInt32(MemoryLayout<Element>.stride), count: UInt64(column.count), checksum: 0)
    var coded: [UInt8]?
    if coding != .raw {
      guard let bytes = coding.encoded(column) else {
        throw .structure(path: path, reason: "section \(name) cannot be coded as \(coding)")
      }
      section.size = UInt64(bytes.count)
      section.checksum = bytes.withUnsafeBytes { Checksum.crc32c($0) }
      coded = bytes
    } else {
      section.checksum = Checksum.crc32c(memory)
    }
    entries.append(Entry(section: section, coded: coded, memory: memory, owner: column.owner))
  }

  /// Writes the file; returns its length in bytes.
  mutating func finish(hash: UInt64) throws(RoadFileError) -> Int {
    var offset = FileLayout.headerSize + entries.count * FileLayout.entrySize
    for k in entries.indices {
      offset = FileLayout.aligned(offset)
      entries[k].section.offset = UInt64(offset)
      offset += Int(entries[k].section.size)
    }
    let length = offset
    let front = header(hash: hash, length: length)
    let entries = entries
    try MapReplacement.write(path) { (file) throws(RoadFileError) in
      try file.put(front)
      var written = front.count
      for entry in entries {
        let gap = Int(entry.section.offset) - written
        try file.put([UInt8](repeating: 0, count: gap))
        if let coded = entry.coded { try file.put(coded) } else { try file.put(entry.memory) }
        written += gap + Int(entry.section.size)
      }
    }
    return length
  }

  private func header(hash: UInt64, length: Int) -> [UInt8] {
    var table: [UInt8] = []
    for entry in entries {
      let name = Array(entry.section.name.utf8.prefix(FileLayout.nameSize))
      table += name + [UInt8](repeating: 0, count: FileLayout.nameSize - name.count)
      Self.append(entry.section.coding.rawValue, to: &table)
      Self.append(entry.section.recordSize, to: &table)
      Self.append(entry.section.offset, to: &table)
      Self.append(entry.section.size, to: &table)
      Self.append(entry.section.count, to: &table)
      Self.append(entry.section.checksum, to: &table)
      Self.append(UInt32(0), to: &table)
    }
    var header = FileLayout.magic
    Self.append(FileLayout.version, to: &header)
    Self.append(UInt32(entries.count), to: &header)
    Self.append(UInt64(length), to: &header)
    Self.append(hash, to: &header)
    Self.append(table.withUnsafeBytes { Checksum.crc32c($0) }, to: &header)
    Self.append(header.withUnsafeBytes { Checksum.crc32c($0) }, to: &header)
    header += [UInt8](repeating: 0, count: FileLayout.headerSize - header.count)
    return header + table
  }

  private static func append<Word: FixedWidthInteger>(_ word: Word, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
