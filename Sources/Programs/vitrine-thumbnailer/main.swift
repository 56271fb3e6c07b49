import Glibc
import SystemCalls
import Thumbnails

StandardDescriptors.open()
exit(ThumbnailerProgram.run(CommandLineArguments.all()))
