// Nothing to compile: this target exists for its header.
#include "clinux.h"
