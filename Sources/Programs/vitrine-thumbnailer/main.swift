import Glibc
import SystemCalls
import Thumbnails

exit(ThumbnailerProgram.run(CommandLineArguments.all()))
