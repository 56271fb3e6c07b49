import Bridge
import Glibc
import SystemCalls

// Without the handlers of exit(3), which would tear down the libraries that the thread of the broker uses.
_exit(BridgeProgram.run(CommandLineArguments.all()))
