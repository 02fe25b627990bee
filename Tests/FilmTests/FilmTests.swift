import CZlib
import Film
import Foundation
import Testing

@Suite struct FilmTests {
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "film-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  /// A picture of 6 x 4 pixels.
  private func picture(_ number: Int) -> [UInt8] {
    (0..<72).map { UInt8(truncatingIfNeeded: $0 * 3 + ($0 > 30 ? number : 0)) }
  }

  /// The chunks of a PNG file as names and contents; checks their checksums.
  private func chunks(_ name: String) throws -> [(name: String, content: [UInt8])] {
    let bytes = [UInt8](try Data(contentsOf: folder.appending(path: name)))
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    var chunks: [(String, [UInt8])] = []
    var place = 8
    while place + 12 <= bytes.count {
      let count = word(bytes, place)
      let body = Array(bytes[place + 4..<place + 8 + count])
      #expect(word(bytes, place + 8 + count) == Int(crc32(0, body, uInt(body.count))))
      chunks.append((String(decoding: body.prefix(4), as: UTF8.self), Array(body.dropFirst(4))))
      place += 12 + count
    }
    return chunks
  }

  private func word(_ bytes: [UInt8], _ place: Int) -> Int {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  @Test func `a folder gets a PNG for each frame, and its name at the end, RN-5`() throws {
    let film = try Film.open(path: path("drive"), width: 6, height: 4, rate: 30)
    try film.add(picture(1))
    try film.add(picture(2))
    #expect(try names() == ["drive.part"])
    try film.finish()
    #expect(try names() == ["drive"])
    let frames = try FileManager.default.contentsOfDirectory(atPath: path("drive")).sorted()
    #expect(frames == ["000001.png", "000002.png"])
    let header = try #require(try chunks("drive/000002.png").first)
    #expect(header.name == "IHDR")
    #expect(word(header.content, 0) == 6 && word(header.content, 4) == 4)
  }

  @Test func `a PNG contains the pixels that were drawn, RN-5`() throws {
    let bytes = PNGImage.file(picture(5), width: 6, height: 4)
    try Data(bytes).write(to: folder.appending(path: "a.png"))
    let data = try #require(try chunks("a.png").first { $0.name == "IDAT" }).content
    var rows = [UInt8](repeating: 0, count: 4 * 19)
    var size = uLong(rows.count)
    #expect(uncompress(&rows, &size, data, uLong(data.count)) == Z_OK)
    var pixels: [UInt8] = []
    for row in 0..<4 {
      for column in 0..<18 {
        let above = row == 0 || rows[row * 19] == 0 ? 0 : pixels[(row - 1) * 18 + column]
        pixels.append(rows[row * 19 + 1 + column] &+ above)
      }
    }
    #expect(pixels == picture(5))
  }

  @Test func `an animated PNG has its frames, their order and their duration, RN-5`() throws {
    let film = try Film.open(path: path("drive.png"), width: 6, height: 4, rate: 25)
    for number in 0..<5 { try film.add(picture(number)) }
    try film.finish()
    let all = try chunks("drive.png")
    let control = try #require(all.first { $0.name == "acTL" }).content
    #expect(word(control, 0) == 5)
    let frames = all.filter { $0.name == "fcTL" }.map(\.content)
    #expect(frames.count == 5)
    #expect(all.count { $0.name == "fdAT" } == 4)
    // A 25th of a second each.
    #expect(frames.allSatisfy { Array($0[20..<24]) == [0, 1, 0, 25] })
    let numbered = all.filter { ["fcTL", "fdAT"].contains($0.name) }.map { word($0.content, 0) }
    #expect(numbered == Array(0..<9))
    // The rows above the first difference are not repeated.
    #expect(word(frames[1], 16) == 1)
  }

  @Test func `an abandoned film leaves nothing, RN-5`() throws {
    for name in ["drive", "drive.png"] {
      let film = try Film.open(path: path(name), width: 6, height: 4, rate: 30)
      try film.add(picture(1))
      film.discard()
    }
    #expect(try names().isEmpty)
  }

  @Test func `what cannot be written is refused with a reason, RN-5`() throws {
    func refusal(_ name: String, rate: Double = 30) -> String {
      do {
        _ = try Film.open(path: name, width: 6, height: 4, rate: rate)
        return ""
      } catch {
        return error.description
      }
    }
    #expect(refusal(path("drive.avi")).contains(".mp4"))
    #expect(refusal(path("missing/drive.png")).contains("there is no folder"))
    #expect(refusal("/proc/drive.png").contains("cannot be"))
    try Data().write(to: folder.appending(path: "drive.png"))
    #expect(refusal(path("drive.png")).contains("already exists"))
    let empty = try Film.open(path: path("empty"), width: 6, height: 4, rate: 30)
    #expect { try empty.finish() } throws: { "\($0)".contains("no frame") }
  }

  @Test(arguments: [
    ("a.mp4", FilmFormat.mp4), ("b/a.WEBP", .webp), ("a.apng", .png), ("frames", .folder),
    ("a.b/frames", .folder), ("a.webm", .webm), ("frames/", .folder),
  ])
  func `the ending of a name decides what is written, RN-5`(name: String, format: FilmFormat) {
    #expect(FilmFormat(path: name) == format)
  }
}
