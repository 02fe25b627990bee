import Foundation

/// The format of a film, chosen by the name of its file.
public enum FilmFormat: String, Hashable, Sendable, CaseIterable {
  /// A folder with a PNG file for each frame.
  case folder
  /// An animated PNG.
  case png
  case mp4
  case webm
  case webp

  /// nil for a name with another ending.
  public init?(path: String) {
    let ending = path.split(separator: "/").last.map(String.init)?.split(
      separator: ".", omittingEmptySubsequences: false
    ).dropFirst().last
    guard let ending else {
      self = .folder
      return
    }
    if ending.isEmpty || path.hasSuffix("/") {
      self = .folder
      return
    }
    let word = ending.lowercased()
    guard let format = FilmFormat(rawValue: word == "apng" ? "png" : word), format != .folder else {
      return nil
    }
    self = format
  }
}

/// A film that is being written, frame by frame.
///
/// Its file or folder gets its name when the film is finished; until then it ends in `.part`.
public protocol FilmOutput: AnyObject {
  /// Adds a frame: red, green and blue bytes, row by row.
  ///
  /// - Throws: `FilmFault` if it cannot be written.
  func add(_ pixels: [UInt8]) throws(FilmFault)

  /// Ends the film and gives it its name.
  ///
  /// - Throws: `FilmFault` if it cannot be written, or has no frame.
  func finish() throws(FilmFault)

  /// Removes what has been written.
  func discard()
}

/// Opens films by the names of their files.
public enum Film {
  /// A film of `width` x `height` pixels with `rate` frames per second, which will be at `path`.
  ///
  /// One that is drawn live is encoded with less effort, so that it ends within a second.
  ///
  /// - Throws: `FilmFault` for an unknown ending, an existing file, a folder that cannot be written
  ///   to, or a missing encoder.
  public static func open(
    path: String, width: Int, height: Int, rate: Double, replaces: Bool = false,
    isLive: Bool = false
  ) throws(FilmFault) -> any FilmOutput {
    guard let format = FilmFormat(path: path) else {
      throw FilmFault(
        "\(path): a film is NAME.mp4, .webm, .webp, .png (animated), or a folder of PNG frames")
    }
    let place = try FilmPlace(path: path, replaces: replaces)
    switch format {
    case .folder: return try FrameFolder(place, width: width, height: height)
    case .png: return try AnimatedPNG(place, width: width, height: height, rate: rate)
    case .mp4, .webm, .webp:
      return try EncodedFilm(
        place, format: format, width: width, height: height, rate: rate, isLive: isLive)
    }
  }

  /// Writes a file at once: under another name first, so that no half file has its name.
  ///
  /// - Throws: `FilmFault` for a file that cannot be written.
  public static func write(_ bytes: [UInt8], to path: String) throws(FilmFault) {
    let place = try FilmPlace(path: path, replaces: true)
    guard FileManager.default.createFile(atPath: place.part, contents: Data(bytes)) else {
      throw place.fault("it cannot be written")
    }
    try place.finish()
  }
}

/// The name of a film, and that of the part until it is finished.
struct FilmPlace {
  let path: String
  let part: String
  private let replaces: Bool

  /// - Throws: `FilmFault` if the film exists and is not to be replaced, or its folder is missing or
  ///   cannot be written to.
  init(path: String, replaces: Bool) throws(FilmFault) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    self.replaces = replaces
    part = self.path + ".part"
    let folder = URL(fileURLWithPath: self.path).deletingLastPathComponent().path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue
    else { throw FilmFault("\(self.path): there is no folder \(folder)") }
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw FilmFault("\(self.path): the folder \(folder) cannot be written to")
    }
    if FileManager.default.fileExists(atPath: self.path), !replaces {
      throw FilmFault("\(self.path) already exists; add --replace to replace it")
    }
    try? FileManager.default.removeItem(atPath: part)
  }

  func fault(_ problem: String) -> FilmFault { FilmFault("\(path): \(problem)") }

  /// Gives the part its name.
  func finish() throws(FilmFault) {
    if replaces { try? FileManager.default.removeItem(atPath: path) }
    do {
      try FileManager.default.moveItem(atPath: part, toPath: path)
    } catch {
      throw fault("it cannot get its name: \(error.localizedDescription)")
    }
  }

  func discard() { try? FileManager.default.removeItem(atPath: part) }
}
