import RoadGraph

/// The header and the section table of a mapped map file, checked against the file's length.
struct FileTable {
  let file: MappedFile
  let hash: UInt64
  /// Checksum of the section table, which contains the checksums of all sections.
  let checksum: UInt32
  let sections: [FileSection]

  /// Reads and checks header and table; the sections' bytes are not touched.
  init(_ file: MappedFile) throws(RoadFileError) {
    self.file = file
    let bytes = file.bytes
    let path = file.path
    guard bytes.count >= 8, bytes[0..<8].elementsEqual(FileLayout.magic) else {
      throw .notAMap(path: path, reason: "its first bytes are not those of a map", byte: 0)
    }
    guard bytes.count >= FileLayout.headerSize else {
      throw .notAMap(path: path, reason: "it ends in its header", byte: UInt64(bytes.count))
    }
    let version = Self.word32(bytes, 8)
    guard version == FileLayout.version else {
      throw .version(path: path, found: version, expected: FileLayout.version)
    }
    guard Checksum.crc32c(UnsafeRawBufferPointer(rebasing: bytes[0..<36])) == Self.word32(bytes, 36)
    else { throw .checksum(path: path, section: "header", byte: 0) }
    guard bytes[40..<FileLayout.headerSize].allSatisfy({ $0 == 0 }) else {
      throw .notAMap(path: path, reason: "reserved bytes of its header are not 0", byte: 40)
    }
    let count = Int(Self.word32(bytes, 12))
    let length = Self.word64(bytes, 16)
    guard length == UInt64(bytes.count) else {
      throw .notAMap(
        path: path, reason: "it should have \(length) bytes and has \(bytes.count)",
        byte: UInt64(bytes.count))
    }
    let end = FileLayout.headerSize + count * FileLayout.entrySize
    guard count <= FileLayout.mostSections, end <= bytes.count else {
      throw .notAMap(path: path, reason: "it lists \(count) sections", byte: 12)
    }
    let table = UnsafeRawBufferPointer(rebasing: bytes[FileLayout.headerSize..<end])
    guard Checksum.crc32c(table) == Self.word32(bytes, 32) else {
      throw .checksum(path: path, section: "table", byte: UInt64(FileLayout.headerSize))
    }
    hash = Self.word64(bytes, 24)
    checksum = Self.word32(bytes, 32)
    var sections: [FileSection] = []
    for k in 0..<count {
      let entry = FileLayout.headerSize + k * FileLayout.entrySize
      sections.append(try Self.section(bytes, at: entry, path: path))
    }
    self.sections = sections
  }

  private static func section(
    _ bytes: UnsafeRawBufferPointer, at entry: Int, path: String
  ) throws(RoadFileError) -> FileSection {
    let name = String(
      decoding: bytes[entry..<entry + FileLayout.nameSize].prefix { $0 != 0 }, as: UTF8.self)
    func refuse(_ reason: String) -> RoadFileError {
      .notAMap(path: path, reason: "section \(name) \(reason)", byte: UInt64(entry))
    }
    guard word32(bytes, entry + 60) == 0,
      let coding = ColumnCoding(rawValue: word32(bytes, entry + 24))
    else {
      throw refuse("has an unknown coding")
    }
    let section = FileSection(
      name: name, coding: coding, offset: word64(bytes, entry + 32),
      size: word64(bytes, entry + 40), recordSize: word32(bytes, entry + 28),
      count: word64(bytes, entry + 48), checksum: word32(bytes, entry + 56))
    let (end, isBeyond) = section.offset.addingReportingOverflow(section.size)
    guard !isBeyond, end <= UInt64(bytes.count),
      section.offset % UInt64(FileLayout.alignment) == 0
    else { throw refuse("does not lie within the file") }
    let (whole, isTooLarge) = UInt64(section.recordSize)
      .multipliedReportingOverflow(by: section.count)
    guard !isTooLarge, section.count <= section.size, coding != .raw || whole == section.size else {
      throw refuse("has \(section.size) bytes for \(section.count) records")
    }
    return section
  }

  func bytes(of section: FileSection) -> UnsafeRawBufferPointer {
    let start = Int(section.offset)
    return UnsafeRawBufferPointer(rebasing: file.bytes[start..<start + Int(section.size)])
  }

  /// Checks each section against its checksum, and that gaps contain zeros; reads the whole file.
  func verify() throws(RoadFileError) {
    var end = FileLayout.headerSize + sections.count * FileLayout.entrySize
    for section in sections {
      guard Checksum.crc32c(bytes(of: section)) == section.checksum else {
        throw .checksum(path: file.path, section: section.name, byte: section.offset)
      }
      let start = Int(section.offset)
      guard start >= end, file.bytes[end..<start].allSatisfy({ $0 == 0 }) else {
        throw .notAMap(
          path: file.path, reason: "there are unexpected bytes before section \(section.name)",
          byte: UInt64(end))
      }
      end = start + Int(section.size)
    }
    guard end == file.bytes.count else {
      throw .notAMap(
        path: file.path, reason: "there are unexpected bytes at its end", byte: UInt64(end))
    }
  }

  private static func word32(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  private static func word64(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

extension FileTable: ColumnSource {
  typealias Failure = RoadFileError

  func column<Element: BitwiseCopyable>(
    _ name: String, of type: Element.Type
  ) throws(RoadFileError) -> Column<Element> {
    guard let section = sections.first(where: { $0.name == name }) else {
      throw .notAMap(
        path: file.path, reason: "section \(name) is missing", byte: UInt64(FileLayout.headerSize))
    }
    guard Int(section.recordSize) == MemoryLayout<Element>.stride else {
      throw .notAMap(
        path: file.path,
        reason: "records of section \(name) have \(section.recordSize) bytes, not "
          + "\(MemoryLayout<Element>.stride)", byte: section.offset)
    }
    let stored = bytes(of: section)
    if section.coding == .raw {
      return Column(records: stored.bindMemory(to: Element.self), owner: file)
    }
    guard let column = section.coding.decoded(stored, count: Int(section.count), of: type) else {
      throw .notAMap(
        path: file.path, reason: "section \(name) is not \(section.count) whole records",
        byte: section.offset)
    }
    return column
  }

  func contains(_ name: String) -> Bool { sections.contains { $0.name == name } }

  func failure(_ fault: GraphFault) -> RoadFileError {
    .structure(path: file.path, reason: fault.description)
  }
}
