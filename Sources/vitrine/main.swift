import Glibc

exit(Program.run(CommandLineArguments.all()).rawValue)
