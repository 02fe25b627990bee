#include "vectortile.h"

#include <algorithm>
#include <cstring>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

// Field numbers of the format's schema, vector_tile.proto 2.1.
enum TileField : uint32_t { tile_layers = 3 };
enum LayerField : uint32_t {
  layer_name = 1,
  layer_features = 2,
  layer_keys = 3,
  layer_values = 4,
  layer_extent = 5,
  layer_version = 15
};
enum FeatureField : uint32_t { feature_tags = 2, feature_type = 3, feature_geometry = 4 };
enum ValueField : uint32_t { value_string = 1, value_sint = 6 };
enum GeometryType : int32_t { type_point = 1, type_line = 2, type_polygon = 3 };
enum Command : uint32_t { move_to = 1, line_to = 2, close_path = 7 };

uint32_t command(Command id, uint32_t count) { return (id & 0x7) | (count << 3); }

// A table of the layer: each entry once, numbered in the order of its first use.
struct Table {
  std::unordered_map<std::string, uint32_t> index;
  std::vector<std::string> entries;

  uint32_t number(const std::string &entry) {
    auto [place, is_new] = index.emplace(entry, static_cast<uint32_t>(entries.size()));
    if (is_new) entries.push_back(entry);
    return place->second;
  }

  void clear() {
    index.clear();
    entries.clear();
  }
};

}  // namespace

struct nav_tile {
  enum class State { tile, layer, feature, failed };

  uint32_t extent;
  State state = State::tile;
  std::string bytes;
  std::string name;
  std::string features;
  Table keys;
  Table values;
  GeometryType type = type_line;
  std::vector<uint32_t> geometry;
  std::vector<uint32_t> tags;
};

namespace {

// Runs `body` in the state that the format asks for; anything else fails the tile for good.
template <typename Body>
bool guarded(nav_tile *tile, nav_tile::State expected, Body body) {
  if (!tile || tile->state == nav_tile::State::failed) return false;
  if (tile->state != expected) {
    tile->state = nav_tile::State::failed;
    return false;
  }
  try {
    return body();
  } catch (...) {
    tile->state = nav_tile::State::failed;
    return false;
  }
}

uint32_t zigzag(int64_t delta) {
  return protozero::encode_zigzag32(static_cast<int32_t>(delta));
}

void begin_feature(nav_tile *tile, GeometryType type) {
  tile->type = type;
  tile->geometry.clear();
  tile->tags.clear();
}

// Tags the feature with a value that `write` encodes.
template <typename Write>
void tag(nav_tile *tile, const char *key, Write write) {
  guarded(tile, nav_tile::State::feature, [&] {
    std::string value;
    write(protozero::pbf_writer{value});
    tile->tags.push_back(tile->keys.number(key));
    tile->tags.push_back(tile->values.number(value));
    return true;
  });
}

}  // namespace

nav_tile *nav_tile_create(uint32_t extent) {
  try {
    auto *tile = new nav_tile;
    tile->extent = extent;
    return tile;
  } catch (...) {
    return nullptr;
  }
}

void nav_tile_destroy(nav_tile *tile) { delete tile; }

void nav_tile_begin_layer(nav_tile *tile, const char *name) {
  guarded(tile, nav_tile::State::tile, [&] {
    tile->name = name;
    tile->features.clear();
    tile->keys.clear();
    tile->values.clear();
    tile->state = nav_tile::State::layer;
    return true;
  });
}

void nav_tile_end_layer(nav_tile *tile) {
  guarded(tile, nav_tile::State::layer, [&] {
    tile->state = nav_tile::State::tile;
    if (tile->features.empty()) return true;
    std::string layer_bytes;
    {
      protozero::pbf_writer layer{layer_bytes};
      layer.add_uint32(layer_version, 2);
      layer.add_string(layer_name, tile->name);
    }
    layer_bytes += tile->features;
    protozero::pbf_writer layer{layer_bytes};
    for (const auto &key : tile->keys.entries) layer.add_string(layer_keys, key);
    for (const auto &value : tile->values.entries) layer.add_message(layer_values, value);
    layer.add_uint32(layer_extent, tile->extent);
    protozero::pbf_writer{tile->bytes}.add_message(tile_layers, layer_bytes);
    return true;
  });
}

bool nav_tile_begin_line(nav_tile *tile, const int32_t *xy, size_t points) {
  return guarded(tile, nav_tile::State::layer, [&] {
    begin_feature(tile, type_line);
    if (!xy || points < 2) return false;
    auto &geometry = tile->geometry;
    geometry = {command(move_to, 1), zigzag(xy[0]), zigzag(xy[1]), 0};
    int64_t x = xy[0];
    int64_t y = xy[1];
    uint32_t count = 0;
    for (size_t i = 1; i < points; ++i) {
      const int64_t dx = xy[2 * i] - x;
      const int64_t dy = xy[2 * i + 1] - y;
      if (dx == 0 && dy == 0) continue;
      geometry.push_back(zigzag(dx));
      geometry.push_back(zigzag(dy));
      x += dx;
      y += dy;
      ++count;
    }
    if (count == 0) return false;
    geometry[3] = command(line_to, count);
    tile->state = nav_tile::State::feature;
    return true;
  });
}

bool nav_tile_begin_polygon(nav_tile *tile, const int32_t *xy, const size_t *sizes, size_t rings) {
  return guarded(tile, nav_tile::State::layer, [&] {
    begin_feature(tile, type_polygon);
    if (!xy || !sizes) return false;
    int64_t x = 0;
    int64_t y = 0;
    std::vector<std::pair<int64_t, int64_t>> ring;
    for (size_t r = 0; r < rings; xy += 2 * sizes[r], ++r) {
      ring.clear();
      for (size_t i = 0; i < sizes[r]; ++i) {
        const std::pair<int64_t, int64_t> point{xy[2 * i], xy[2 * i + 1]};
        if (ring.empty() || ring.back() != point) ring.push_back(point);
      }
      if (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
      int64_t doubled_area = 0;
      for (size_t i = 0; i < ring.size(); ++i) {
        const auto &a = ring[i];
        const auto &b = ring[(i + 1) % ring.size()];
        doubled_area += a.first * b.second - b.first * a.second;
      }
      if (ring.size() < 3 || doubled_area == 0) {
        if (r == 0) return false;
        continue;
      }
      // By the surveyor's formula an outer ring has a positive area, a hole a negative one.
      if ((doubled_area > 0) != (r == 0)) std::reverse(ring.begin(), ring.end());
      auto &geometry = tile->geometry;
      geometry.push_back(command(move_to, 1));
      for (size_t i = 0; i < ring.size(); ++i) {
        if (i == 1) geometry.push_back(command(line_to, static_cast<uint32_t>(ring.size() - 1)));
        geometry.push_back(zigzag(ring[i].first - x));
        geometry.push_back(zigzag(ring[i].second - y));
        x = ring[i].first;
        y = ring[i].second;
      }
      geometry.push_back(command(close_path, 1));
    }
    if (tile->geometry.empty()) return false;
    tile->state = nav_tile::State::feature;
    return true;
  });
}

void nav_tile_begin_point(nav_tile *tile, int32_t x, int32_t y) {
  guarded(tile, nav_tile::State::layer, [&] {
    begin_feature(tile, type_point);
    tile->geometry = {command(move_to, 1), zigzag(x), zigzag(y)};
    tile->state = nav_tile::State::feature;
    return true;
  });
}

void nav_tile_tag_text(nav_tile *tile, const char *key, const char *value) {
  tag(tile, key, [&](protozero::pbf_writer to) {
    to.add_string(value_string, value, std::strlen(value));
  });
}

void nav_tile_tag_integer(nav_tile *tile, const char *key, int64_t value) {
  tag(tile, key, [&](protozero::pbf_writer to) { to.add_sint64(value_sint, value); });
}

void nav_tile_end_feature(nav_tile *tile) {
  guarded(tile, nav_tile::State::feature, [&] {
    std::string feature_bytes;
    {
      protozero::pbf_writer feature{feature_bytes};
      feature.add_packed_uint32(feature_tags, tile->tags.begin(), tile->tags.end());
      feature.add_enum(feature_type, tile->type);
      feature.add_packed_uint32(
          feature_geometry, tile->geometry.begin(), tile->geometry.end());
    }
    protozero::pbf_writer{tile->features}.add_message(layer_features, feature_bytes);
    tile->state = nav_tile::State::layer;
    return true;
  });
}

const uint8_t *nav_tile_bytes(nav_tile *tile, size_t *size) {
  if (size) *size = 0;
  if (!tile || !size || tile->state != nav_tile::State::tile || tile->bytes.empty()) return nullptr;
  *size = tile->bytes.size();
  return reinterpret_cast<const uint8_t *>(tile->bytes.data());
}
