#include "cosmium.h"

#include <expat.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <osmium/io/any_input.hpp>
#include <osmium/io/compression.hpp>
#include <osmium/osm.hpp>
#include <memory>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <vector>

namespace {

bool starts_with(const char *text, const char *start) {
  return std::strncmp(text, start, std::strlen(start)) == 0;
}

// Keys that no map making reads, and that many objects have.
bool is_noise(const char *key) {
  switch (key[0]) {
    case 't': return starts_with(key, "tiger:");
    case 'w': return starts_with(key, "wiki");
    case 'n': return starts_with(key, "note") || starts_with(key, "name:etymology");
    case 's': return std::strcmp(key, "source") == 0 || starts_with(key, "source:name");
    case 'c': return starts_with(key, "created_by") || starts_with(key, "check_date");
    case 'f': return std::strcmp(key, "fixme") == 0;
    default: return false;
  }
}

void collect(const osmium::TagList &list, std::vector<cosmium_tag> &tags) {
  tags.clear();
  for (const auto &tag : list) {
    if (!is_noise(tag.key())) tags.push_back({tag.key(), tag.value()});
  }
}

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

// Files without a telling suffix are looked into: XML begins with a bracket, PBF does not.
osmium::io::File file_at(const std::string &path) {
  osmium::io::File file{path};
  if (file.format() == osmium::io::file_format::unknown) {
    FILE *handle = std::fopen(path.c_str(), "rb");
    int first = ' ';
    if (handle) {
      do { first = std::fgetc(handle); } while (first == ' ' || first == '\n' || first == '\r');
      std::fclose(handle);
    }
    return osmium::io::File{path, first == '<' ? "osm" : "pbf"};
  }
  return file;
}

std::string sentence(const char *what) {
  std::string text{what};
  while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
  return text;
}

// Objects that an editor such as JOSM saved as deleted: `action="delete"`.
struct Deleted {
  std::unordered_set<int64_t> nodes;
  std::unordered_set<int64_t> ways;
  std::unordered_set<int64_t> relations;

  bool contains(const osmium::OSMObject &object) const {
    switch (object.type()) {
      case osmium::item_type::node: return nodes.count(object.id()) > 0;
      case osmium::item_type::way: return ways.count(object.id()) > 0;
      case osmium::item_type::relation: return relations.count(object.id()) > 0;
      default: return false;
    }
  }

  size_t size() const { return nodes.size() + ways.size() + relations.size(); }
  bool empty() const { return size() == 0; }
};

void on_element(void *data, const XML_Char *element, const XML_Char **attributes) {
  auto &deleted = *static_cast<Deleted *>(data);
  std::unordered_set<int64_t> *ids = std::strcmp(element, "node") == 0       ? &deleted.nodes
                                     : std::strcmp(element, "way") == 0      ? &deleted.ways
                                     : std::strcmp(element, "relation") == 0 ? &deleted.relations
                                                                             : nullptr;
  if (!ids) return;
  const char *id = nullptr;
  bool is_deleted = false;
  for (; attributes[0]; attributes += 2) {
    if (std::strcmp(attributes[0], "id") == 0) id = attributes[1];
    if (std::strcmp(attributes[0], "action") == 0) {
      is_deleted = std::strcmp(attributes[1], "delete") == 0;
    }
  }
  if (id && is_deleted) ids->insert(std::strtoll(id, nullptr, 10));
}

// Calls `take` with the text of a file, part by part, until it returns false.
template <typename Take>
void for_each_part(const osmium::io::File &file, Take take) {
  const int descriptor = osmium::io::detail::open_for_reading(file.filename());
  const auto decompressor =
      osmium::io::CompressionFactory::instance().create_decompressor(file.compression(), descriptor);
  for (std::string part = decompressor->read(); !part.empty(); part = decompressor->read()) {
    if (!take(part)) break;
  }
  decompressor->close();
}

// The objects that an XML file marks as deleted. The file's text is only parsed for that where it has such a mark; what
// is wrong with it is found when it is read.
Deleted deleted_objects(const osmium::io::File &file) {
  Deleted deleted;
  if (file.format() != osmium::io::file_format::xml) return deleted;
  bool has_mark = false;
  std::string end;
  for_each_part(file, [&](const std::string &part) {
    const std::string text = end + part;
    for (const char *mark : {"action='delete'", "action=\"delete\""}) {
      has_mark = has_mark || text.find(mark) != std::string::npos;
    }
    end = text.substr(text.size() - std::min<std::size_t>(text.size(), 16));
    return !has_mark;
  });
  if (!has_mark) return deleted;
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, decltype(&XML_ParserFree)> parser{
      XML_ParserCreate(nullptr), XML_ParserFree};
  if (!parser) throw std::bad_alloc{};
  XML_SetUserData(parser.get(), &deleted);
  XML_SetElementHandler(parser.get(), on_element, [](void *, const XML_Char *) {});
  for_each_part(file, [&](const std::string &part) {
    return XML_Parse(parser.get(), part.data(), static_cast<int>(part.size()), 0) == XML_STATUS_OK;
  });
  return deleted;
}

// Gives freed memory back to the system at its end: the reader's threads leave buffers in the heap
// that are as large as the graph which is made next.
struct ReturnsFreedMemory {
  ~ReturnsFreedMemory() {
#ifdef __GLIBC__
    ::malloc_trim(0);
#endif
  }
};

// Opens the file and gives every object of the wanted kinds to `take`.
template <typename Take>
cosmium_result read(const char *path, osmium::osm_entity_bits::type kinds,
                    osmium::io::read_meta meta, const cosmium_handler *handler, char *error,
                    size_t error_size, osmium::io::Header &header, Take take) {
  const ReturnsFreedMemory at_end;
  std::size_t offset = 0;
  auto fail = [&](const std::string &reason) {
    std::snprintf(error, error_size, "%s: %s", path, reason.c_str());
    return cosmium_failed;
  };
  try {
    struct stat status {};
    if (::stat(path, &status) != 0) return fail(std::strerror(errno));
    if (S_ISDIR(status.st_mode)) return fail("is a folder, not an OSM file");
    if (status.st_size == 0) return fail("is empty, not an OSM file");
    const osmium::io::File file = file_at(path);
    const Deleted deleted = deleted_objects(file);
    // The pass over relations is the first one.
    if (!deleted.empty() && (kinds & osmium::osm_entity_bits::relation)) {
      handler->deleted(handler->context, deleted.size());
    }
    osmium::io::Reader reader{file, kinds, meta};
    // The header is read first: a file that is no OSM file fails here.
    header = reader.header();
    while (osmium::memory::Buffer buffer = reader.read()) {
      offset = reader.offset();
      for (const auto &object : buffer.select<osmium::OSMObject>()) {
        if (!object.visible() || (!deleted.empty() && deleted.contains(object))) continue;
        take(object);
      }
      if (handler->progress && !handler->progress(handler->context, offset, reader.file_size())) {
        return cosmium_stopped;
      }
    }
    reader.close();
    return cosmium_ok;
  } catch (const osmium::xml_error &e) {
    return fail("is not an OSM file: " + sentence(e.what()) + " (line " +
                std::to_string(e.line) + ", column " + std::to_string(e.column) + ")");
  } catch (const osmium::unsupported_file_format_error &e) {
    return fail("is not an OSM file: " + sentence(e.what()));
  } catch (const osmium::io_error &e) {
    return fail("is not a whole OSM file: " + sentence(e.what()) + " (after byte " +
                std::to_string(offset) + ")");
  } catch (const std::bad_alloc &) {
    return fail("there is not enough memory to read it");
  } catch (const std::exception &e) {
    return fail("cannot be read: " + sentence(e.what()) + " (after byte " +
                std::to_string(offset) + ")");
  } catch (...) {
    return fail("cannot be read");
  }
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
      osmium::io::read_meta::yes, handler, error, error_size, header,
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
      path, osmium::osm_entity_bits::node, osmium::io::read_meta::no, handler, error, error_size,
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
