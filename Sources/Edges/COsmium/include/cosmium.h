// Reads OSM files (XML, PBF, O5M, OPL, compressed or not) through libosmium, behind a C face.
//
// A map takes two passes over a file: roads, then the nodes that they need. Objects that an editor marked as
// deleted (`action="delete"`) are left out. No C++ exception leaves these functions; whatever goes wrong comes back
// as one sentence.
#ifndef NAV_COSMIUM_H
#define NAV_COSMIUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Zero-terminated UTF-8, valid during the call that hands it over.
typedef struct {
  const char *key;
  const char *value;
} cosmium_tag;

typedef enum { cosmium_node = 0, cosmium_way = 1, cosmium_relation = 2 } cosmium_kind;

typedef struct {
  cosmium_kind kind;
  int64_t id;
  const char *role;
} cosmium_member;

/// Callbacks for each object, on the reading thread. All pointers are valid only during the call.
typedef struct {
  void *context;
  /// Coordinates in degrees times 10^7.
  void (*node)(void *context, int64_t id, int32_t latitude_e7, int32_t longitude_e7,
               const cosmium_tag *tags, size_t tag_count);
  void (*way)(void *context, int64_t id, const int64_t *nodes, size_t node_count,
              const cosmium_tag *tags, size_t tag_count);
  void (*relation)(void *context, int64_t id, const cosmium_member *members, size_t member_count,
                   const cosmium_tag *tags, size_t tag_count);
  /// The place of a node that a way itself gives, as `out geom` of Overpass does. Before the way.
  void (*inline_place)(void *context, int64_t id, int32_t latitude_e7, int32_t longitude_e7);
  /// How many objects of the file an editor marked as deleted; not called for none.
  void (*deleted)(void *context, size_t count);
  /// Bytes read and bytes in all, now and then; false ends the reading.
  bool (*progress)(void *context, uint64_t bytes, uint64_t total);
} cosmium_handler;

typedef enum { cosmium_ok = 0, cosmium_failed = 1, cosmium_stopped = 2 } cosmium_result;

/// Calls `way` for ways that may be roads or boundaries or have no tags of their own, and `relation` for restrictions,
/// boundaries, numbered roads, ferries and areas to walk on.
///
/// `data_time` receives the time of the data in seconds since 1970: what the file's header says, else that of the
/// newest object that was read, else 0. On failure `error` holds a sentence that names the file, and where it can
/// the byte or line.
cosmium_result cosmium_read_roads(const char *path, const cosmium_handler *handler, int64_t *data_time,
                                  char *error, size_t error_size);

/// Calls `node` for the nodes whose id is among `ids`, which ascend, and for those that name a place.
cosmium_result cosmium_read_nodes(const char *path, const int64_t *ids, size_t id_count,
                                  const cosmium_handler *handler, char *error, size_t error_size);

#ifdef __cplusplus
}
#endif

#endif
