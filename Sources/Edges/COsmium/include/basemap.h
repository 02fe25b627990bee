// Reads the areas and lines of the base map (water, land use, buildings, railways, borders) of an OSM file through
// libosmium, whose assembler makes areas of closed ways and multipolygon relations. Errors are returned, never thrown.
#ifndef NAV_BASEMAP_H
#define NAV_BASEMAP_H

#include "cosmium.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Callbacks of the reading thread. All pointers are valid only during the call.
typedef struct {
  void *context;
  /// An area or a line. `xy` holds pairs of longitude and latitude in degrees times 10^7, ring after ring: for an area
  /// its outer ring, then its holes, each with its first point repeated; for a line its points.
  void (*feature)(void *context, bool is_area, const cosmium_tag *tags, size_t tag_count, const size_t *ring_sizes,
                  size_t ring_count, const int32_t *xy);
  /// Bytes read and bytes in all, now and then; false ends the reading.
  bool (*progress)(void *context, uint64_t bytes, uint64_t total);
} cosmium_base_handler;

/// Calls `feature` for the areas and lines of a file, which must be sorted as OSM files are: nodes, ways, relations, each by
/// id. An area is left out if the file lacks a part of its relation.
///
/// Keeps the places of all nodes in memory, about 16 bytes each. On failure `error` holds a sentence.
cosmium_result cosmium_read_base_map(const char *path, const cosmium_base_handler *handler, char *error,
                                     size_t error_size);

#ifdef __cplusplus
}
#endif

#endif
