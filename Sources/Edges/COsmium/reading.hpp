// Shared by the readers of OSM files: opening a file, the objects that an editor deleted, and descriptions of errors.
#ifndef NAV_READING_HPP
#define NAV_READING_HPP

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
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <vector>

namespace cosmium {

inline bool starts_with(const char *text, const char *start) {
  return std::strncmp(text, start, std::strlen(start)) == 0;
}

// Keys that no map making reads, and that many objects have.
inline bool is_noise(const char *key) {
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

inline void collect(const osmium::TagList &list, std::vector<cosmium_tag> &tags) {
  tags.clear();
  for (const auto &tag : list) {
    if (!is_noise(tag.key())) tags.push_back({tag.key(), tag.value()});
  }
}

// Files without a telling suffix are looked into: XML begins with a bracket, PBF does not.
inline osmium::io::File file_at(const std::string &path) {
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

inline std::string sentence(const char *what) {
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

inline void on_element(void *data, const XML_Char *element, const XML_Char **attributes) {
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
inline Deleted deleted_objects(const osmium::io::File &file) {
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

// Callbacks of a reader in addition to those for objects; each may be NULL.
struct Hooks {
  void *context;
  void (*deleted)(void *context, size_t count);
  bool (*progress)(void *context, uint64_t bytes, uint64_t total);
};

// Opens the file and gives every object of the wanted kinds to `take`.
template <typename Take>
cosmium_result read(const char *path, osmium::osm_entity_bits::type kinds,
                    osmium::io::read_meta meta, const Hooks &hooks, char *error,
                    size_t error_size, osmium::io::Header &header, Take take, std::function<void()> at_end = nullptr) {
  const ReturnsFreedMemory returns_memory;
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
    if (!deleted.empty() && hooks.deleted && (kinds & osmium::osm_entity_bits::relation)) {
      hooks.deleted(hooks.context, deleted.size());
    }
    osmium::io::Reader reader{file, kinds, meta};
    // The header is read first: a file that is no OSM file fails here.
    header = reader.header();
    while (osmium::memory::Buffer buffer = reader.read()) {
      offset = reader.offset();
      for (auto &object : buffer.select<osmium::OSMObject>()) {
        if (!object.visible() || (!deleted.empty() && deleted.contains(object))) continue;
        take(object);
      }
      if (hooks.progress && !hooks.progress(hooks.context, offset, reader.file_size())) {
        return cosmium_stopped;
      }
    }
    reader.close();
    if (at_end) at_end();
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

}  // namespace cosmium

#endif
