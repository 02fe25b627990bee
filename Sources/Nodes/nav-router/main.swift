import Harness
import RouterStage

NodeMain.run(RouterStage.self)
