// ViewerCore: to be filled.
