import Harness
import MatcherStage

NodeMain.run(MatcherStage.self)
