import Bag
import Foundation

/// The files of one recording: `drive.mcap`, `drive.2.mcap`, `drive.3.mcap` and so on.
struct RecordingFiles {
  let folder: String
  private let stem: String
  private let ending: String
  /// Closed files of this run, oldest first.
  private(set) var closed: [String] = []
  private var lastNumber = 0

  init(path: String) {
    let url = URL(filePath: path)
    folder = url.deletingLastPathComponent().path
    ending = url.pathExtension.isEmpty ? "" : ".\(url.pathExtension)"
    stem = url.deletingPathExtension().lastPathComponent
  }

  private func path(_ number: Int) -> String {
    "\(folder)/\(stem)\(number > 1 ? ".\(number)" : "")\(ending)"
  }

  /// The next name without an existing file or part; earlier recordings are never overwritten.
  mutating func next() -> String {
    repeat {
      lastNumber += 1
    } while Self.exists(path(lastNumber)) || Self.exists("\(path(lastNumber)).part")
    return path(lastNumber)
  }

  private static func exists(_ path: String) -> Bool {
    // A dangling link also counts as existing.
    (try? FileManager.default.attributesOfItem(atPath: path)) != nil
  }

  /// Adds a closed file, points `latest` at it, and deletes the oldest files beyond `keepBytes`.
  mutating func add(_ path: String, keepBytes: Int?) {
    closed.append(path)
    link(path)
    guard let keepBytes else { return }
    var sizes = numbered().map { (path: $0, size: Self.size($0)) }
    var total = sizes.reduce(0) { $0 + $1.size }
    while total > keepBytes, sizes.count > 1, let oldest = sizes.first {
      guard unlink(oldest.path) == 0 else { return }
      total -= oldest.size
      sizes.removeFirst()
      closed.removeAll { $0 == oldest.path }
    }
  }

  /// Creates `latest.mcap` in the same folder; an existing file of that name that is not a link
  /// stays.
  private func link(_ path: String) {
    let latest = "\(folder)/latest\(ending)"
    let attributes = try? FileManager.default.attributesOfItem(atPath: latest)
    let isLink = attributes?[.type] as? FileAttributeType == .typeSymbolicLink
    guard attributes == nil || isLink, latest != path else { return }
    let fresh = "\(latest).part"
    unlink(fresh)
    guard symlink(URL(filePath: path).lastPathComponent, fresh) == 0 else { return }
    rename(fresh, latest)
  }

  /// All closed files of this recording, including earlier runs, in the order of their numbers.
  private func numbered() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let found = names.compactMap { name -> (number: Int, path: String)? in
      guard name.hasPrefix(stem), name.hasSuffix(ending) else { return nil }
      let middle = name.dropFirst(stem.count).dropLast(ending.count)
      if middle.isEmpty { return (1, "\(folder)/\(name)") }
      guard middle.hasPrefix("."), let number = Int(middle.dropFirst()), number > 1,
        "\(number)" == middle.dropFirst()
      else { return nil }
      return (number, "\(folder)/\(name)")
    }
    return found.sorted { $0.number < $1.number }.map(\.path)
  }

  static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
