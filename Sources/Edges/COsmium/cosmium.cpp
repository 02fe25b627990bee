#include "cosmium.h"

#include <algorithm>
#include <cstring>
#include <osmium/osm.hpp>
#include <string>
#include <vector>

#include "reading.hpp"

namespace {

using namespace cosmium;

// Platforms and piers, which walkers use though they are no highways.
bool is_area(const osmium::TagList &tags) {
  return tags.has_tag("railway", "platform") || tags.has_tag("public_transport", "platform") ||
         tags.has_tag("man_made", "pier");
}

bool may_be_road(const osmium::TagList &tags) {
  if (tags.has_key("highway") || is_area(tags) || tags.has_tag("amenity", "parking")) return true;
  // Where trams cross a road there is no railway crossing.
  if (tags.has_tag("railway", "tram") || tags.has_tag("railway", "light_rail")) return true;
  if (const char *route = tags["route"]) {
    return std::strcmp(route, "ferry") == 0 || std::strcmp(route, "shuttle_train") == 0;
  }
  return tags.has_tag("boundary", "administrative") || tags.has_tag("boundary", "low_emission_zone");
}

// Ways without tags get theirs from relations: ferries, squares with several borders.
bool is_bare(const osmium::TagList &tags) {
  return std::all_of(tags.begin(), tags.end(),
                     [](const osmium::Tag &tag) { return is_noise(tag.key()); });
}

bool matters(const osmium::TagList &tags) {
  const char *type = tags["type"];
  if (!type) return false;
  if (starts_with(type, "restriction")) return true;
  if (std::strcmp(type, "route") == 0) {
    return tags.has_tag("route", "road") || tags.has_tag("route", "ferry") ||
           tags.has_tag("route", "shuttle_train");
  }
  if (std::strcmp(type, "multipolygon") == 0 && (tags.has_key("highway") || is_area(tags))) return true;
  if (tags.has_tag("boundary", "low_emission_zone")) return true;
  return std::strcmp(type, "boundary") == 0 &&
         (tags.has_tag("admin_level", "2") || tags.has_tag("admin_level", "4"));
}

bool names_place(const osmium::TagList &tags) {
  static const char *const keys[] = {"place",   "amenity", "tourism", "railway",
                                     "aeroway", "leisure", "shop",    "office",
                                     "historic", "public_transport", "healthcare"};
  if (!tags.has_key("name")) return false;
  return std::any_of(std::begin(keys), std::end(keys),
                     [&](const char *key) { return tags.has_key(key); });
}

Hooks hooks(const cosmium_handler *handler) {
  return {handler->context, handler->deleted, handler->progress};
}

void give(const osmium::Way &way, const cosmium_handler *handler, std::vector<cosmium_tag> &tags,
          std::vector<int64_t> &nodes) {
  collect(way.tags(), tags);
  nodes.clear();
  for (const auto &node : way.nodes()) {
    nodes.push_back(node.ref());
    if (node.location().valid()) {
      handler->inline_place(handler->context, node.ref(), node.location().y(), node.location().x());
    }
  }
  handler->way(handler->context, way.id(), nodes.data(), nodes.size(), tags.data(), tags.size());
}

// Seconds since 1970; 0 where nothing tells.
int64_t time_of_data(const osmium::io::Header &header, const osmium::Timestamp &newest) {
  const std::string told = header.get("osmosis_replication_timestamp");
  if (!told.empty()) {
    try {
      return osmium::Timestamp{told}.seconds_since_epoch();
    } catch (const std::invalid_argument &) {
      // A header that is none: the objects tell.
    }
  }
  return newest.valid() ? newest.seconds_since_epoch() : 0;
}

}  // namespace

cosmium_result cosmium_read_roads(const char *path, const cosmium_handler *handler, int64_t *data_time,
                                  char *error, size_t error_size) {
  osmium::io::Header header;
  osmium::Timestamp newest{};
  std::vector<cosmium_tag> tags;
  std::vector<int64_t> nodes;
  std::vector<cosmium_member> members;
  const cosmium_result result = read(
      path, osmium::osm_entity_bits::way | osmium::osm_entity_bits::relation,
      osmium::io::read_meta::yes, hooks(handler), error, error_size, header,
      [&](const osmium::OSMObject &object) {
        if (object.timestamp() > newest) newest = object.timestamp();
        if (object.type() == osmium::item_type::way) {
          const auto &way = static_cast<const osmium::Way &>(object);
          if (!may_be_road(way.tags()) && !is_bare(way.tags())) return;
          give(way, handler, tags, nodes);
        } else if (object.type() == osmium::item_type::relation) {
          const auto &relation = static_cast<const osmium::Relation &>(object);
          if (!matters(relation.tags())) return;
          collect(relation.tags(), tags);
          members.clear();
          for (const auto &member : relation.members()) {
            const auto kind = member.type() == osmium::item_type::node  ? cosmium_node
                              : member.type() == osmium::item_type::way ? cosmium_way
                                                                        : cosmium_relation;
            members.push_back({kind, member.ref(), member.role()});
          }
          handler->relation(handler->context, relation.id(), members.data(), members.size(),
                            tags.data(), tags.size());
        }
      });
  *data_time = time_of_data(header, newest);
  return result;
}

cosmium_result cosmium_read_nodes(const char *path, const int64_t *ids, size_t id_count,
                                  const cosmium_handler *handler, char *error, size_t error_size) {
  std::vector<cosmium_tag> tags;
  size_t cursor = 0;
  osmium::io::Header header;
  return read(
      path, osmium::osm_entity_bits::node, osmium::io::read_meta::no, hooks(handler), error, error_size,
      header, [&](const osmium::OSMObject &object) {
        const auto &node = static_cast<const osmium::Node &>(object);
        const int64_t id = node.id();
        // Files are nearly always sorted by id: step on, and search only after a step back.
        if (cursor > 0 && ids[cursor - 1] >= id) {
          cursor = static_cast<size_t>(std::lower_bound(ids, ids + id_count, id) - ids);
        }
        while (cursor < id_count && ids[cursor] < id) ++cursor;
        const bool is_needed = cursor < id_count && ids[cursor] == id;
        if (!is_needed && (node.tags().empty() || !names_place(node.tags()))) return;
        if (!node.location().valid()) return;
        collect(node.tags(), tags);
        handler->node(handler->context, id, node.location().y(), node.location().x(), tags.data(),
                      tags.size());
      });
}
