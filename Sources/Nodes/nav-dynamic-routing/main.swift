import DynamicRoutingStage
import Harness

NodeMain.run(DynamicRoutingStage.self)
