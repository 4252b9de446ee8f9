#pragma once
#include <nghttp2/nghttp2.h>

// A stream's place in our table travels through nghttp2 as an address that is never followed.
static inline void *cnghttp2_place(int32_t index) { return (void *)((intptr_t)index + 1); }
static inline int32_t cnghttp2_index(const void *place) { return (int32_t)((intptr_t)place - 1); }
