import Bridge
import Glibc
import SystemCalls

StandardDescriptors.open()
// Without the handlers of exit(3), which would tear down the libraries that the thread of the broker uses.
_exit(BridgeProgram.run(CommandLineArguments.all()))
