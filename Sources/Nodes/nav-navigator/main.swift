import Harness
import NavigatorStage

NodeMain.run(NavigatorStage.self)
