// Mapbox Vector Tile 2.1, written with protozero behind a C face.
//
// Calls come in the order of the format: a layer holds features, a feature its geometry and
// tags. The bytes depend on the calls alone. A call out of order, or on a tile that has run out of
// memory, does nothing and makes `nav_tile_bytes` give none.
#ifndef NAV_VECTORTILE_H
#define NAV_VECTORTILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nav_tile nav_tile;

/// An empty tile whose coordinates go from 0 to `extent`; NULL without memory.
nav_tile *nav_tile_create(uint32_t extent);
void nav_tile_destroy(nav_tile *tile);

void nav_tile_begin_layer(nav_tile *tile, const char *name);
void nav_tile_end_layer(nav_tile *tile);

/// A line feature. `xy` holds `points` pairs; points equal to the one before are left out, and a
/// line of fewer than two then is no feature: false, and no `nav_tile_end_feature` may follow.
bool nav_tile_begin_line(nav_tile *tile, const int32_t *xy, size_t points);
/// A polygon feature: `sizes` holds the numbers of points of its rings, `xy` all their pairs, no first point repeated. The
/// first ring is the outer one; rings are turned as the format asks. Rings without an area are left out; without the outer
/// one it is no feature: false, and no `nav_tile_end_feature` may follow.
bool nav_tile_begin_polygon(nav_tile *tile, const int32_t *xy, const size_t *sizes, size_t rings);
void nav_tile_begin_point(nav_tile *tile, int32_t x, int32_t y);
void nav_tile_tag_text(nav_tile *tile, const char *key, const char *value);
void nav_tile_tag_integer(nav_tile *tile, const char *key, int64_t value);
void nav_tile_end_feature(nav_tile *tile);

/// The tile's bytes, valid until the next call on it; NULL with size 0 for an empty or failed tile.
const uint8_t *nav_tile_bytes(nav_tile *tile, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
