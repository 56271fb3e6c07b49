import Application
import Glibc

exit(Program.run(CommandLineArguments.all()))
