import Application
import Glibc
import SystemCalls

exit(Program.run(CommandLineArguments.all()))
