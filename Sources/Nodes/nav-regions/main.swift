import Harness
import RegionStage

NodeMain.run(RegionStage.self)
