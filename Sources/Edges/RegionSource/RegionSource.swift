import Documents
import Foundation
import Foundations
import Glibc
public import RegionFiles
public import Regions
import RoadFile

/// A source of regions: a folder with a catalogue, or such a folder on a web server.
public struct RegionSource: Hashable, Sendable, CustomStringConvertible {
  /// Longest catalogue that is accepted, bytes.
  static let longestCatalogue = 16 << 20
  /// Bytes of the disk that are left free.
  static let sparedBytes = 64 << 20

  private enum Place: Hashable {
    case folder(String)
    case server(URL)
  }

  private let place: Place

  /// Parses the path of a folder, or an address `http://…` or `https://…`.
  ///
  /// - Throws: `RegionFault` for an invalid address.
  public init(_ text: String) throws(RegionFault) {
    guard text.contains("://") else {
      place = .folder(text)
      return
    }
    guard let url = URL(string: text.hasSuffix("/") ? text : text + "/"),
      ["http", "https"].contains(url.scheme?.lowercased()), url.host?.isEmpty == false
    else {
      throw RegionFault("\"\(text)\" is neither a folder nor an http or https address")
    }
    place = .server(url)
  }

  public var description: String {
    switch place {
    case .folder(let path): path
    case .server(let url): url.absoluteString
    }
  }

  /// Reads the catalogue of the source.
  ///
  /// - Throws: `RegionFault` if the source cannot be reached or has no valid catalogue.
  public func catalogue() throws(RegionFault) -> RegionCatalogue {
    let bytes: [UInt8]
    switch place {
    case .folder(let path):
      let file = "\(path)/\(RegionCatalogue.fileName)"
      guard let data = FileManager.default.contents(atPath: file) else {
        throw RegionFault(
          "\(file) cannot be read: \(String(cString: strerror(errno))); nav map catalogue creates it"
        )
      }
      bytes = Array(data)
    case .server(let url):
      var collected: [UInt8] = []
      try WebDownload.get(
        url.appendingPathComponent(RegionCatalogue.fileName), from: 0, limit: Self.longestCatalogue
      ) { (data, _) in
        collected += data
        return true
      }
      bytes = collected
    }
    do throws(DocumentFault) {
      return try RegionCatalogue(bytes)
    } catch {
      throw RegionFault("\(self) \(RegionCatalogue.fileName), \(error)")
    }
  }

  /// Fetches a region, verifies it, and installs it into a folder of maps.
  ///
  /// `progress` receives the bytes received so far and returns whether to continue. An interrupted download is
  /// resumed. An installed file of the same name is kept.
  ///
  /// - Throws: `RegionFault` if the source fails, the disk is full, or the file does not match the catalogue.
  public func install(
    _ region: Region, into folder: String, progress: (Int) -> Bool
  ) throws(RegionFault) {
    let target = "\(folder)/\(region.name)\(MapName.builtSuffix)"
    // Nodes ignore files whose names begin with a dot.
    let part = "\(folder)/.\(region.name).\(region.sha256.prefix(16)).part"
    try spare(region.bytes, in: folder)
    try fetch(region, to: part, progress: progress)
    let (bytes, sha256) = try FileDigest.of(part)
    guard bytes == region.bytes, sha256 == region.sha256 else {
      unlink(part)
      throw RegionFault(
        "\(region.name): \(bytes) received bytes do not have the SHA-256 of the catalogue; they were discarded"
      )
    }
    do throws(RoadFileError) {
      try RoadFile.verify(path: part)
    } catch {
      unlink(part)
      throw RegionFault("\(region.name) is not a usable map: \(error.description)")
    }
    // Unlike rename(2), link(2) never replaces a file that another program has installed meanwhile.
    let isPut = link(part, target) == 0 || errno == EEXIST
    let reason = String(cString: strerror(errno))
    unlink(part)
    guard isPut else { throw RegionFault("cannot put \(target): \(reason)") }
  }

  private func spare(_ bytes: Int, in folder: String) throws(RegionFault) {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else {
      throw RegionFault("the folder \(folder): \(String(cString: strerror(errno)))")
    }
    let free = Int(status.f_bavail) * Int(status.f_frsize)
    guard free >= bytes + Self.sparedBytes else {
      throw RegionFault(
        "\(folder): \(free >> 20) MB are free, which is too little for a region of \(bytes >> 20) MB"
      )
    }
  }

  private func fetch(
    _ region: Region, to part: String, progress: (Int) -> Bool
  ) throws(RegionFault) {
    let output = open(part, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard output >= 0 else {
      throw RegionFault("cannot write \(part): \(String(cString: strerror(errno)))")
    }
    defer { close(output) }
    var status = stat()
    var received = fstat(output, &status) == 0 ? Int(status.st_size) : 0
    if received > region.bytes { received = 0 }
    if received == region.bytes { return }
    var failure: RegionFault?
    func take(_ data: [UInt8], restarts: Bool) -> Bool {
      if restarts { received = 0 }
      guard received + data.count <= region.bytes else {
        failure = RegionFault("\(region.name): the file is longer than stated in the catalogue")
        return false
      }
      guard Self.write(data, to: output, at: received) else {
        failure = RegionFault("cannot write \(part): \(String(cString: strerror(errno)))")
        return false
      }
      received += data.count
      guard progress(received) else {
        failure = RegionFault("\(region.name): stopped")
        return false
      }
      return true
    }
    let begin = received
    switch place {
    case .folder(let path):
      try Self.copy("\(path)/\(region.file)", from: begin) { take($0, restarts: false) }
    case .server(let url):
      do throws(RegionFault) {
        try WebDownload.get(
          url.appendingPathComponent(region.file), from: begin, limit: region.bytes, take)
      } catch {
        throw failure ?? error
      }
    }
    if let failure { throw failure }
    guard ftruncate(output, off_t(received)) == 0, fsync(output) == 0 else {
      throw RegionFault("cannot write \(part): \(String(cString: strerror(errno)))")
    }
  }

  private static func write(_ data: [UInt8], to file: Int32, at offset: Int) -> Bool {
    data.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
        let count = pwrite(file, rest.baseAddress, rest.count, off_t(offset + written))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        written += count
      }
      return true
    }
  }

  private static func copy(
    _ path: String, from begin: Int, _ take: ([UInt8]) -> Bool
  ) throws(RegionFault) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw RegionFault("\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { close(file) }
    guard lseek(file, off_t(begin), SEEK_SET) >= 0 else {
      throw RegionFault("\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(file, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw RegionFault("\(path) cannot be read: \(String(cString: strerror(errno)))")
      }
      guard count > 0, take(Array(piece[..<count])) else { return }
    }
  }
}
