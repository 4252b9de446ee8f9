#pragma once
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Function-like macros are not imported into Swift; each gets a function of fixed type here.

// Macros that Transport uses.
static inline int shim_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
  return SSL_CTX_set_min_proto_version(context, version);
}
static inline void shim_SSL_CTX_set_mode(SSL_CTX *context, long mode) { SSL_CTX_set_mode(context, mode); }
static inline void shim_SSL_CTX_set_read_ahead(SSL_CTX *context, int yes) { SSL_CTX_set_read_ahead(context, yes); }
static inline void shim_SSL_CTX_set_session_cache_mode(SSL_CTX *context, long mode) {
  SSL_CTX_set_session_cache_mode(context, mode);
}
static inline int shim_SSL_CTX_add1_chain_cert(SSL_CTX *context, X509 *certificate) {
  return (int)SSL_CTX_add1_chain_cert(context, certificate);
}
static inline int shim_SSL_set_tlsext_host_name(SSL *ssl, const char *name) {
  return (int)SSL_set_tlsext_host_name(ssl, name);
}
static inline void shim_SSL_CTX_harden(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
}
// Keys, digests, sealing.

// The one-shot SHA256() of OpenSSL 3 looks its algorithm up by name on every call (0.4 us), and EVP contexts live on the
// heap. The older interface keeps the whole state in a plain value that can be copied, which is what makes a kept HMAC
// key cheap; it is marked deprecated, not unsafe, and only these functions know of it.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
static inline void shim_sha256_start(SHA256_CTX *state) { SHA256_Init(state); }
static inline void shim_sha256_add(SHA256_CTX *state, const void *data, size_t length) {
  if (length > 0) SHA256_Update(state, data, length);
}
static inline void shim_sha256_finish(SHA256_CTX *state, unsigned char digest[32]) { SHA256_Final(digest, state); }

// The two hash states that HMAC starts from: as secret as the key itself.
typedef struct {
  SHA256_CTX inner;
  SHA256_CTX outer;
} shim_hmac_sha256_key;

static inline void shim_hmac_sha256_prepare(shim_hmac_sha256_key *key, const void *secret, size_t length) {
  unsigned char block[64] = {0};
  if (length > sizeof block) {
    SHA256_CTX state;
    SHA256_Init(&state);
    SHA256_Update(&state, secret, length);
    SHA256_Final(block, &state);
    OPENSSL_cleanse(&state, sizeof state);
  } else {
    for (size_t index = 0; index < length; index++) block[index] = ((const unsigned char *)secret)[index];
  }
  for (size_t index = 0; index < sizeof block; index++) block[index] ^= 0x36;
  SHA256_Init(&key->inner);
  SHA256_Update(&key->inner, block, sizeof block);
  for (size_t index = 0; index < sizeof block; index++) block[index] ^= 0x36 ^ 0x5c;
  SHA256_Init(&key->outer);
  SHA256_Update(&key->outer, block, sizeof block);
  OPENSSL_cleanse(block, sizeof block);
}

static inline void shim_hmac_sha256(
    const shim_hmac_sha256_key *key, const void *message, size_t length, unsigned char code[32]) {
  SHA256_CTX state = key->inner;
  if (length > 0) SHA256_Update(&state, message, length);
  SHA256_Final(code, &state);
  state = key->outer;
  SHA256_Update(&state, code, 32);
  SHA256_Final(code, &state);
  OPENSSL_cleanse(&state, sizeof state);
}
#pragma clang diagnostic pop
