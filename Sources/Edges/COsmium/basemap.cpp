#include "basemap.h"

#include <cstring>
#include <osmium/area/assembler.hpp>
#include <osmium/area/multipolygon_manager.hpp>
#include <osmium/handler/node_locations_for_ways.hpp>
#include <osmium/index/map/flex_mem.hpp>
#include <osmium/osm.hpp>
#include <osmium/tags/tags_filter.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "reading.hpp"

namespace {

using namespace cosmium;

using Locations = osmium::index::map::FlexMem<osmium::unsigned_object_id_type, osmium::Location>;
using Manager = osmium::area::MultipolygonManager<osmium::area::Assembler>;

// Keys of areas that may be drawn; what their values mean is decided by the reader.
osmium::TagsFilter area_filter() {
  osmium::TagsFilter filter{false};
  for (const char *key : {"building", "natural", "landuse", "leisure", "aeroway"}) filter.add_rule(true, osmium::TagMatcher{key});
  for (const char *value : {"riverbank", "dock"}) filter.add_rule(true, osmium::TagMatcher{"waterway", value});
  for (const char *value : {"parking", "school", "university", "college", "hospital", "kindergarten", "grave_yard"}) {
    filter.add_rule(true, osmium::TagMatcher{"amenity", value});
  }
  for (const char *value : {"zoo", "theme_park", "camp_site"}) filter.add_rule(true, osmium::TagMatcher{"tourism", value});
  return filter;
}

bool may_be_line(const osmium::TagList &tags) {
  return tags.has_key("waterway") || tags.has_key("railway") || tags.has_key("aeroway") ||
         tags.has_tag("natural", "coastline") || tags.has_tag("boundary", "administrative");
}

// The level of a border between countries or states; nullptr for none.
const char *border_level(const osmium::TagList &tags) {
  if (!tags.has_tag("boundary", "administrative")) return nullptr;
  const char *level = tags["admin_level"];
  return level && (std::strcmp(level, "2") == 0 || std::strcmp(level, "4") == 0) ? level : nullptr;
}

// Hands features over, with buffers that are used again.
class Giver {
 public:
  explicit Giver(const cosmium_base_handler *handler) : handler_{handler} {}

  void area(const osmium::Area &area) {
    collect(area.tags(), tags_);
    for (const auto &outer : area.outer_rings()) {
      start();
      if (!add(outer)) continue;
      for (const auto &inner : area.inner_rings(outer)) add(inner);
      give(true);
    }
  }

  void line(const osmium::Way &way, const char *level) {
    collect(way.tags(), tags_);
    if (level && !way.tags().has_key("boundary")) {
      tags_.push_back({"boundary", "administrative"});
      tags_.push_back({"admin_level", level});
    }
    start();
    if (add(way.nodes())) give(false);
  }

 private:
  void start() {
    sizes_.clear();
    xy_.clear();
  }

  bool add(const osmium::NodeRefList &nodes) {
    const size_t before = xy_.size();
    for (const auto &node : nodes) {
      if (!node.location().valid()) continue;
      xy_.push_back(node.location().x());
      xy_.push_back(node.location().y());
    }
    const size_t count = (xy_.size() - before) / 2;
    if (count < 2) {
      xy_.resize(before);
      return false;
    }
    sizes_.push_back(count);
    return true;
  }

  void give(bool is_area) {
    handler_->feature(handler_->context, is_area, tags_.data(), tags_.size(), sizes_.data(), sizes_.size(), xy_.data());
  }

  const cosmium_base_handler *handler_;
  std::vector<cosmium_tag> tags_;
  std::vector<size_t> sizes_;
  std::vector<int32_t> xy_;
};

bool are_known(const osmium::WayNodeList &nodes) {
  for (const auto &node : nodes) {
    if (!node.location().valid()) return false;
  }
  return !nodes.empty();
}

}  // namespace

cosmium_result cosmium_read_base_map(const char *path, const cosmium_base_handler *handler, char *error,
                                     size_t error_size) {
  const Hooks hooks{handler->context, nullptr, handler->progress};
  osmium::io::Header header;
  Manager manager{osmium::area::Assembler::config_type{}, area_filter()};
  // A border between countries is one of states as well, and drawn as the former.
  std::unordered_map<int64_t, const char *> borders;
  cosmium_result result = read(
      path, osmium::osm_entity_bits::relation, osmium::io::read_meta::no, hooks, error, error_size, header,
      [&](const osmium::OSMObject &object) {
        const auto &relation = static_cast<const osmium::Relation &>(object);
        manager.relation(relation);
        const char *level = border_level(relation.tags());
        if (!level) return;
        const char *kept = std::strcmp(level, "2") == 0 ? "2" : "4";
        for (const auto &member : relation.members()) {
          if (member.type() != osmium::item_type::way) continue;
          const char *&known = borders[member.ref()];
          if (!known || *kept < *known) known = kept;
        }
      });
  if (result != cosmium_ok) return result;

  try {
    manager.prepare_for_lookup();
  } catch (const std::exception &e) {
    std::snprintf(error, error_size, "%s: %s", path, e.what());
    return cosmium_failed;
  }
  Giver giver{handler};
  auto &areas = manager.handler([&](const osmium::memory::Buffer &&buffer) {
    for (const auto &area : buffer.select<osmium::Area>()) giver.area(area);
  });
  Locations positive;
  Locations negative;
  osmium::handler::NodeLocationsForWays<Locations, Locations> locations{positive, negative};
  locations.ignore_errors();
  return read(
      path, osmium::osm_entity_bits::node | osmium::osm_entity_bits::way, osmium::io::read_meta::no, hooks, error,
      error_size, header,
      [&](osmium::OSMObject &object) {
        if (object.type() == osmium::item_type::node) {
          const auto &node = static_cast<const osmium::Node &>(object);
          if (node.location().valid()) locations.node(node);
          return;
        }
        auto &way = static_cast<osmium::Way &>(object);
        // A way may bring the places of its nodes itself, as `out geom` of Overpass gives them.
        if (!are_known(way.nodes())) locations.way(way);
        areas.way(way);
        const auto border = borders.find(way.id());
        const char *level = border == borders.end() ? nullptr : border->second;
        if (level || may_be_line(way.tags())) giver.line(way, level);
      },
      [&] { manager.flush_output(); });
}
