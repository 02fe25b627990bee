import Foundation

/// An animated PNG, which plays once for ever; browsers and most viewers show it.
///
/// Source: W3C, "Portable Network Graphics (PNG) Specification (Third Edition)", 11.3.6 (APNG).
final class AnimatedPNG: FilmOutput {
  private let place: FilmPlace
  private let width: Int
  private let height: Int
  private let file: FileHandle
  /// Duration of a frame as a fraction of a second.
  private let delay: (numerator: Int, denominator: Int)
  private var frames = 0
  private var sequence = 0
  private var last: [UInt8] = []

  init(_ place: FilmPlace, width: Int, height: Int, rate: Double) throws(FilmFault) {
    self.place = place
    self.width = width
    self.height = height
    let isWhole = rate.rounded() == rate && rate <= 65_535
    delay = isWhole ? (1, Int(rate)) : (1000, Int((rate * 1000).rounded()))
    guard delay.denominator <= 65_535 else {
      throw place.fault("an animated PNG has at most 65 frames per second that are not whole")
    }
    guard FileManager.default.createFile(atPath: place.part, contents: nil),
      let file = FileHandle(forWritingAtPath: place.part)
    else { throw place.fault("it cannot be written") }
    self.file = file
    // The number of frames is filled in at the end.
    try write(PNGImage.opening + PNGImage.header(width: width, height: height) + control(frames: 0))
  }

  private func control(frames: Int) -> [UInt8] {
    PNGImage.chunk("acTL", PNGImage.word(frames) + PNGImage.word(0))
  }

  private func write(_ bytes: [UInt8]) throws(FilmFault) {
    do {
      try file.write(contentsOf: Data(bytes))
    } catch {
      throw place.fault("it cannot be written: \(error.localizedDescription)")
    }
  }

  func add(_ pixels: [UInt8]) throws(FilmFault) {
    // Only the rows that differ from the frame before are written.
    let stride = width * 3
    var (top, bottom) = (0, height)
    if last.count == pixels.count {
      func isEqual(_ row: Int) -> Bool {
        let range = row * stride..<(row + 1) * stride
        return last[range].elementsEqual(pixels[range])
      }
      while top < height - 1, isEqual(top) { top += 1 }
      while bottom > top + 1, isEqual(bottom - 1) { bottom -= 1 }
    }
    last = pixels
    let shown = Array(pixels[top * stride..<bottom * stride])
    let half = [delay.numerator, delay.denominator].flatMap { Array(PNGImage.word($0).suffix(2)) }
    let placing =
      PNGImage.word(width) + PNGImage.word(bottom - top) + PNGImage.word(0) + PNGImage.word(top)
    let data = PNGImage.compressed(shown, width: width)
    var bytes = PNGImage.chunk("fcTL", PNGImage.word(sequence) + placing + half + [0, 0])
    sequence += 1
    if frames == 0 {
      bytes += PNGImage.chunk("IDAT", data)
    } else {
      bytes += PNGImage.chunk("fdAT", PNGImage.word(sequence) + data)
      sequence += 1
    }
    frames += 1
    try write(bytes)
  }

  func finish() throws(FilmFault) {
    guard frames > 0 else { throw place.fault("there is no frame to write") }
    try write(PNGImage.chunk("IEND", []))
    do {
      // After the opening (8 bytes) and the header (25 bytes).
      try file.seek(toOffset: 33)
    } catch {
      throw place.fault("it cannot be written: \(error.localizedDescription)")
    }
    try write(control(frames: frames))
    try? file.close()
    try place.finish()
  }

  func discard() {
    try? file.close()
    place.discard()
  }
}
