import FilmStage
import Harness
import Stage

/// `nav-film`: draws the scene of a running stack into a film.
@main enum FilmNode {
  static func main() {
    NodeMain.run(FilmStage.self) { (_, parameters) throws(StageFailure) in
      [FilmSink(FilmSettings(parameters))]
    }
  }
}
