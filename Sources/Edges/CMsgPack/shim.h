// msgpack-c's packing routines as plain functions that write into one growing buffer.
#ifndef NAVSTACK_CMSGPACK_SHIM_H
#define NAVSTACK_CMSGPACK_SHIM_H

#include <msgpack.h>
#include <stdint.h>
#include <string.h>

typedef msgpack_sbuffer nav_buffer;

static inline msgpack_packer nav_packer(nav_buffer *buffer) {
  msgpack_packer packer = {buffer, msgpack_sbuffer_write};
  return packer;
}

static inline void nav_buffer_init(nav_buffer *buffer) { msgpack_sbuffer_init(buffer); }
static inline void nav_buffer_destroy(nav_buffer *buffer) { msgpack_sbuffer_destroy(buffer); }

static inline int nav_pack_nil(nav_buffer *buffer) {
  msgpack_packer packer = nav_packer(buffer);
  return msgpack_pack_nil(&packer);
}
static inline int nav_pack_bool(nav_buffer *buffer, int value) {
  msgpack_packer packer = nav_packer(buffer);
  return value ? msgpack_pack_true(&packer) : msgpack_pack_false(&packer);
}
static inline int nav_pack_int64(nav_buffer *buffer, int64_t value) {
  msgpack_packer packer = nav_packer(buffer);
  return msgpack_pack_int64(&packer, value);
}
static inline int nav_pack_uint64(nav_buffer *buffer, uint64_t value) {
  msgpack_packer packer = nav_packer(buffer);
  return msgpack_pack_uint64(&packer, value);
}
static inline int nav_pack_double(nav_buffer *buffer, double value) {
  msgpack_packer packer = nav_packer(buffer);
  return msgpack_pack_double(&packer, value);
}
static inline int nav_pack_map(nav_buffer *buffer, size_t count) {
  msgpack_packer packer = nav_packer(buffer);
  return msgpack_pack_map(&packer, count);
}
static inline int nav_pack_array(nav_buffer *buffer, size_t count) {
  msgpack_packer packer = nav_packer(buffer);
  return msgpack_pack_array(&packer, count);
}
static inline int nav_pack_str(nav_buffer *buffer, const void *bytes, size_t count) {
  msgpack_packer packer = nav_packer(buffer);
  int failed = msgpack_pack_str(&packer, count);
  return failed ? failed : msgpack_pack_str_body(&packer, bytes, count);
}
static inline int nav_pack_bin(nav_buffer *buffer, const void *bytes, size_t count) {
  msgpack_packer packer = nav_packer(buffer);
  int failed = msgpack_pack_bin(&packer, count);
  return failed ? failed : msgpack_pack_bin_body(&packer, bytes, count);
}

// Writes the header of a map of `count` entries at `offset`, where one byte was kept for it.
static inline int nav_patch_map(nav_buffer *buffer, size_t offset, size_t count) {
  if (count < 16) {
    buffer->data[offset] = (char)(0x80 | count);
    return 0;
  }
  if (count > 0xffff || msgpack_sbuffer_write(buffer, "\0\0", 2)) return -1;
  char *at = buffer->data + offset;
  memmove(at + 3, at + 1, buffer->size - offset - 3);
  at[0] = (char)0xde;
  at[1] = (char)(count >> 8);
  at[2] = (char)count;
  return 0;
}

#endif
