import Foundation

/// A folder with a PNG file for each frame: `000001.png` and so on.
final class FrameFolder: FilmOutput {
  private let place: FilmPlace
  private let width: Int
  private let height: Int
  private var count = 0

  init(_ place: FilmPlace, width: Int, height: Int) throws(FilmFault) {
    self.place = place
    self.width = width
    self.height = height
    do {
      try FileManager.default.createDirectory(
        atPath: place.part, withIntermediateDirectories: false)
    } catch {
      throw place.fault("the folder cannot be made: \(error.localizedDescription)")
    }
  }

  func add(_ pixels: [UInt8]) throws(FilmFault) {
    count += 1
    let digits = String(count)
    let name = String(repeating: "0", count: max(0, 6 - digits.count)) + digits + ".png"
    let file = PNGImage.file(pixels, width: width, height: height)
    guard FileManager.default.createFile(atPath: place.part + "/" + name, contents: Data(file))
    else { throw place.fault("the frame \(name) cannot be written") }
  }

  func finish() throws(FilmFault) {
    guard count > 0 else { throw place.fault("there is no frame to write") }
    try place.finish()
  }

  func discard() { place.discard() }
}
