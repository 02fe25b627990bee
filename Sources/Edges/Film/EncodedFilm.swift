import CLinux
import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A film that ffmpeg encodes, in a process of its own that gets the pixels of each frame.
final class EncodedFilm: FilmOutput {
  private let place: FilmPlace
  private let process: pid_t
  private let input: Int32
  private let errors: String
  private var frames = 0
  private var hasEnded = false

  /// - Throws: `FilmFault` if ffmpeg is not installed.
  init(
    _ place: FilmPlace, format: FilmFormat, width: Int, height: Int, rate: Double,
    isLive: Bool
  ) throws(FilmFault) {
    self.place = place
    guard let program = Self.program() else {
      throw FilmFault(
        "\(place.path): ffmpeg is needed for .\(format.rawValue) and is not installed: "
          + "apt-get install ffmpeg, or write an animated PNG (.png) or a folder of frames")
    }
    errors = place.part + ".log"
    var ends: [Int32] = [0, 0]
    let log = Glibc.open(errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    let none = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
    guard log >= 0, none >= 0, pipe(&ends) == 0,
      ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 })
    else {
      let reason = String(cString: strerror(errno))
      try? FileManager.default.removeItem(atPath: errors)
      throw place.fault("it cannot be written: \(reason)")
    }
    // A frame for an encoder that has ended fails instead of ending this process.
    signal(SIGPIPE, SIG_IGN)
    var words =
      [
        program, "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "rawvideo",
        "-pix_fmt", "rgb24", "-s", "\(width)x\(height)", "-r", "\(rate)", "-i", "pipe:0", "-an",
      ] + Self.options(format, isLive: isLive)
    words += ["-f", format.rawValue, place.part]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var environment: [UnsafeMutablePointer<CChar>?] =
      ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var share = clinux_share()
    // A group of its own, so that Ctrl-C reaches only this process, which ends the film properly.
    process = clinux_spawn(
      program, &arguments, &environment, FileManager.default.currentDirectoryPath,
      [ends[0], none, log], &share)
    for file in [ends[0], none, log] { close(file) }
    input = ends[1]
    guard process > 0 else {
      close(input)
      try? FileManager.default.removeItem(atPath: errors)
      throw place.fault("\(program) cannot be started")
    }
  }

  private static func program() -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/ffmpeg" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  /// The same frames give the same bytes with one version of ffmpeg.
  private static func options(_ format: FilmFormat, isLive: Bool) -> [String] {
    let exact = ["-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1"]
    // Half the colours of a row and of a column are kept, so both must be even.
    let even = ["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p"]
    switch format {
    case .mp4:
      return exact + even + [
        "-c:v", "libx264", "-preset", isLive ? "veryfast" : "medium", "-crf", "20", "-movflags",
        isLive ? "+frag_keyframe+empty_moov" : "+faststart",
      ]
    case .webm:
      return exact + even + [
        "-c:v", "libvpx-vp9", "-crf", "32", "-b:v", "0", "-row-mt", "1",
        "-deadline", isLive ? "realtime" : "good",
      ]
    case .webp: return exact + ["-c:v", "libwebp_anim", "-quality", "75", "-loop", "0"]
    case .folder, .png: return []
    }
  }

  func add(_ pixels: [UInt8]) throws(FilmFault) {
    let isWhole = pixels.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = Glibc.write(input, bytes.baseAddress?.advanced(by: done), bytes.count - done)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
    guard isWhole else {
      _ = end()
      throw failure()
    }
    frames += 1
  }

  func finish() throws(FilmFault) {
    guard frames > 0 else { throw place.fault("there is no frame to write") }
    guard end() == 0 else { throw failure() }
    try? FileManager.default.removeItem(atPath: errors)
    try place.finish()
  }

  /// Waits for the encoder; returns its exit code.
  private func end() -> Int32 {
    guard !hasEnded else { return -1 }
    hasEnded = true
    close(input)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  private func failure() -> FilmFault {
    let log = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
    let last = log.split(separator: "\n").last.map(String.init) ?? "it ended early"
    return place.fault("ffmpeg failed: \(last)")
  }

  func discard() {
    if !hasEnded { kill(process, SIGKILL) }
    _ = end()
    try? FileManager.default.removeItem(atPath: errors)
    place.discard()
  }
}
