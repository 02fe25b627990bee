import ArgumentParser
import Bag
import Film
import Foundation
import Foundations
import MapPicture
import Recorder

/// `nav film`: a film of a recorded drive.
struct FilmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "film",
    abstract: "Draw a film of a recorded drive: MP4, WebM, WebP, animated PNG, or PNG frames.",
    discussion: """
      The ending of the output decides: drive.mp4, .webm and .webp need ffmpeg; drive.png is an animated PNG; a name without \
      an ending is a folder of frames 000001.png and so on. The same recording gives the same frames. An interrupted \
      film leaves nothing. To film a stack while it runs, add the node nav-film to it.
      """)

  @Argument(help: "A recording (.mcap).")
  var recording: String

  @Option(name: .shortAndLong, help: "The film.")
  var output: String

  @Option(help: "Frames per second of the film, 1 to 120.")
  var rate = 30.0

  @Option(help: "Seconds of the drive for each second of the film, 0.1 to 100.")
  var speed = 1.0

  @Option(help: "Begin this long after the first location, such as 90s or 2min.")
  var from = "0s"

  @Option(help: "End this long after the first location; default: at the last one.")
  var to: String?

  @Option(
    name: .customLong("vehicle"),
    help: ArgumentHelp("The vehicle; default: ego, or the first one.", valueName: "name"))
  var vehicle: String?

  @Flag(help: "Replace the film if it exists.")
  var replace = false

  @Flag(help: "Print no progress.")
  var quiet = false

  @OptionGroup var picture: PictureOptions

  func validate() throws {
    guard (1...120).contains(rate) else { throw ValidationError("--rate must be 1 to 120.") }
    guard (0.1...100).contains(speed) else { throw ValidationError("--speed must be 0.1 to 100.") }
    let start = try FilmTime.seconds(from, "--from")
    if let to, try FilmTime.seconds(to, "--to") <= start {
      throw ValidationError("--to must be later than --from.")
    }
    guard FilmFormat(path: output) != nil else {
      throw ValidationError(
        "--output: a film is NAME.mp4, .webm, .webp, .png (animated), or a folder of frames.")
    }
  }

  func run() throws {
    let scenes = try RecordedScenes(
      recording: try Recording(path: recording), vehicle: vehicle,
      settings: try picture.settings())
    let start = scenes.times.lowerBound.advanced(
      bySeconds: try FilmTime.seconds(from, "--from"))
    guard start < scenes.times.upperBound else {
      let length = scenes.times.upperBound.seconds(since: scenes.times.lowerBound)
      throw Problem("--from \(from): the drive ends after \(Int(length)) s")
    }
    var end = scenes.times.upperBound
    if let to {
      end = min(
        end, scenes.times.lowerBound.advanced(bySeconds: try FilmTime.seconds(to, "--to")))
    }
    let count = Int((end.seconds(since: start) / speed * rate).rounded(.down)) + 1
    let painter = try picture.painter()
    let film = try Film.open(
      path: output, width: painter.widthPx, height: painter.heightPx, rate: rate,
      replaces: replace)
    let interruption = Interruption()
    do {
      try draw(count, from: start, scenes, painter, film, interruption)
      try film.finish()
    } catch {
      film.discard()
      if interruption.hasCome { throw ExitCode(130) }
      throw error
    }
    let seconds = String(format: "%.1f", Double(count) / rate)
    print("\(output): \(count) frames, \(seconds) s, \(painter.widthPx) x \(painter.heightPx)")
  }

  private func draw(
    _ count: Int, from start: Instant, _ scenes: RecordedScenes, _ painter: ScenePainter,
    _ film: any FilmOutput, _ interruption: Interruption
  ) throws {
    var progress = ProgressLine()
    defer { progress.end() }
    var camera = FilmCamera()
    for index in 0..<count {
      guard !interruption.hasCome else { throw Problem("interrupted") }
      let moment = start.advanced(bySeconds: Double(index) / rate * speed)
      guard var scene = try scenes.scene(at: moment) else {
        throw Problem("\(recording): there is nothing to show at \(from)")
      }
      scene.frame = camera.follow(scene.frame, stepS: 1 / rate)
      scene.showsPanel = !picture.noPanel
      try film.add(try painter.pixels(scene, stepS: index == 0 ? .infinity : 1 / rate))
      if !quiet { progress.show(Double(index + 1) / Double(count)) }
    }
  }
}
