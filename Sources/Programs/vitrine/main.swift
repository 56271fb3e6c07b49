import Application
import Glibc
import SystemCalls

StandardDescriptors.open()
exit(Program.run(CommandLineArguments.all()))
