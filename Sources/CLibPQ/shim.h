#pragma once
#include <libpq-fe.h>

// The importer skips macros that are character literals.
static const int BOLRACH_DIAG_SQLSTATE = PG_DIAG_SQLSTATE;
static const int BOLRACH_DIAG_MESSAGE_PRIMARY = PG_DIAG_MESSAGE_PRIMARY;
static const int BOLRACH_DIAG_CONSTRAINT_NAME = PG_DIAG_CONSTRAINT_NAME;
