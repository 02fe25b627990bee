import Harness
import TrafficStage

NodeMain.run(TrafficStage.self)
