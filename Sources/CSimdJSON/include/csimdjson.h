#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  CSIMDJSON_OK = 0,
  CSIMDJSON_NO_TOKEN,
  CSIMDJSON_INVALID_UTF8,
  CSIMDJSON_UNTERMINATED_STRING,
  CSIMDJSON_CONTROL_CHARACTER,
  CSIMDJSON_TOO_LARGE,
  CSIMDJSON_OUT_OF_MEMORY,
  CSIMDJSON_OTHER
} csimdjson_status;

// Finds where the tokens of a JSON text begin: brackets, braces, colons, commas, opening quotes and the first characters
// of numbers and literals. Checks that the text is UTF-8, that no string holds a raw control character and that the last
// string ends; nothing else. `bytes` needs no padding. The array lives until this thread's next call or its end.
csimdjson_status csimdjson_tokens(const void *bytes, size_t length, const uint32_t **offsets, size_t *count);

#ifdef __cplusplus
}
#endif
