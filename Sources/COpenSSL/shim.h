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
