import CLinux
import Harness
import MatcherStage

// The answers for whole traces allocate and free megabytes of memory.
clinux_keep_freed_memory(16 << 20)
NodeMain.run(MatcherStage.self)
