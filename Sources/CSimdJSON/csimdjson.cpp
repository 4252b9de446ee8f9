#include "csimdjson.h"

#include <memory>
#include <simdjson.h>

// Of simdjson only the first stage is used, the one that both of its own interfaces start with. Its second stages were
// tried on paper and set aside: the DOM turns numbers into binary ones, and the on-demand interface checks only what is
// asked for; both accept duplicate keys and lone low surrogates. What the first stage leaves is checked in Swift.
using indexer_type = simdjson::internal::dom_parser_implementation;

// One for each thread that reads JSON; keeps 4 bytes for each byte of the largest text it has seen.
static thread_local std::unique_ptr<indexer_type> indexer;

static const size_t smallest_capacity = 4096;

static bool reserve(size_t length) {
  if (indexer && indexer->capacity() >= length) return true;
  size_t capacity = smallest_capacity;
  while (capacity < length) capacity *= 2;
  indexer.reset();
  // The depth is of no use to the first stage; 1 keeps what is allocated for the second one small.
  return simdjson::get_active_implementation()->create_dom_parser_implementation(capacity, 1, indexer) ==
         simdjson::SUCCESS;
}

csimdjson_status csimdjson_tokens(const void *bytes, size_t length, const uint32_t **offsets, size_t *count) {
  if (length > simdjson::SIMDJSON_MAXSIZE_BYTES / 2) return CSIMDJSON_TOO_LARGE;
  if (!reserve(length)) return CSIMDJSON_OUT_OF_MEMORY;
  switch (indexer->stage1(static_cast<const uint8_t *>(bytes), length, simdjson::stage1_mode::regular)) {
    case simdjson::SUCCESS:
      *offsets = indexer->structural_indexes.get();
      *count = indexer->n_structural_indexes;
      return CSIMDJSON_OK;
    case simdjson::EMPTY: return CSIMDJSON_NO_TOKEN;
    case simdjson::UTF8_ERROR: return CSIMDJSON_INVALID_UTF8;
    case simdjson::UNCLOSED_STRING: return CSIMDJSON_UNTERMINATED_STRING;
    case simdjson::UNESCAPED_CHARS: return CSIMDJSON_CONTROL_CHARACTER;
    default: return CSIMDJSON_OTHER;
  }
}
