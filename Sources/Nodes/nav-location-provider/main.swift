import Harness
import LocationStage

NodeMain.run(LocationStage.self)
