// A navstack node in C++17: subscribes, publishes, calls, answers calls, and lives under navlaunch.
//
// Header-only; needs libzmq (C API) and nothing else:
//
//     g++ -std=c++17 -O2 -o voice voice.cpp -lzmq
//
// A node declares what it reads, publishes, answers and can be configured with, and calls `main`. Handlers run one at
// a time on the thread of `main`. `voice.cpp` is a whole stage. Protocols/README.md and Protocols/control.md define
// what passes over the sockets. Payloads are not checked against the contract here: readers do that.
#pragma once

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <zmq.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace navstack {

constexpr const char* kVersion = "0.1.0";

// A failure with the exit code that navlaunch understands: 78 for a configuration that a restart cannot fix.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& text, int exit_code = 78) : std::runtime_error(text), exit_code(exit_code) {}
  int exit_code;
};

// A call that ended without a reply payload; throw it in a handler to refuse a call.
class CallError : public std::runtime_error {
 public:
  CallError(std::string code, const std::string& message, std::string field = "")
      : std::runtime_error(message), code(std::move(code)), field(std::move(field)) {}
  std::string code, field;
};

// A MessagePack value: what payloads and headers consist of. Maps keep their order.
class Value {
 public:
  enum class Kind { nil, boolean, integer, number, text, bytes, list, map };

  Value() = default;
  Value(bool value) : kind_(Kind::boolean), integer_(value) {}
  Value(int value) : kind_(Kind::integer), integer_(value) {}
  Value(std::int64_t value) : kind_(Kind::integer), integer_(value) {}
  Value(std::uint64_t value) : kind_(Kind::integer), integer_(static_cast<std::int64_t>(value)), is_large_(value >> 63) {}
  Value(double value) : kind_(Kind::number), number_(value) {}
  Value(const char* value) : kind_(Kind::text), text_(value) {}
  Value(std::string value) : kind_(Kind::text), text_(std::move(value)) {}

  static Value bytes(std::string value) {
    Value result(std::move(value));
    result.kind_ = Kind::bytes;
    return result;
  }
  static Value list(std::vector<Value> items = {}) {
    Value result;
    result.kind_ = Kind::list;
    result.items_ = std::move(items);
    return result;
  }
  static Value map(std::initializer_list<std::pair<std::string, Value>> entries = {}) {
    Value result;
    result.kind_ = Kind::map;
    for (const auto& entry : entries) result.set(entry.first, entry.second);
    return result;
  }

  Kind kind() const { return kind_; }
  bool is_nil() const { return kind_ == Kind::nil; }
  // Entries of a list or map.
  std::size_t size() const { return items_.size(); }
  const std::vector<Value>& items() const { return items_; }
  const std::vector<std::string>& keys() const { return keys_; }

  // The value of a key, or nil where it is absent or this is no map.
  const Value& operator[](const std::string& key) const {
    for (std::size_t i = 0; i < keys_.size(); i++)
      if (keys_[i] == key) return items_[i];
    return nothing();
  }
  const Value& operator[](const char* key) const { return (*this)[std::string(key)]; }
  // The entry of a list, or nil after its end.
  const Value& at(std::size_t index) const { return index < items_.size() ? items_[index] : nothing(); }

  // Sets a key of a map; a nil becomes a map.
  Value& set(const std::string& key, Value value) {
    if (kind_ == Kind::nil) kind_ = Kind::map;
    for (std::size_t i = 0; i < keys_.size(); i++)
      if (keys_[i] == key) {
        items_[i] = std::move(value);
        return *this;
      }
    keys_.push_back(key);
    items_.push_back(std::move(value));
    return *this;
  }
  void push_back(Value value) {
    kind_ = Kind::list;
    items_.push_back(std::move(value));
  }

  // The value in a kind of C++, or `otherwise` where it is of another one.
  bool as_bool(bool otherwise = false) const { return kind_ == Kind::boolean ? integer_ != 0 : otherwise; }
  std::int64_t as_int(std::int64_t otherwise = 0) const { return kind_ == Kind::integer && !is_large_ ? integer_ : otherwise; }
  std::uint64_t as_uint(std::uint64_t otherwise = 0) const {
    return kind_ == Kind::integer && (is_large_ || integer_ >= 0) ? static_cast<std::uint64_t>(integer_) : otherwise;
  }
  double as_double(double otherwise = 0) const {
    if (kind_ == Kind::number) return number_;
    if (kind_ != Kind::integer) return otherwise;
    return is_large_ ? static_cast<double>(static_cast<std::uint64_t>(integer_)) : static_cast<double>(integer_);
  }
  const std::string& as_text() const { return text_; }

  // MessagePack bytes, integers in their shortest form.
  std::string packed() const {
    std::string out;
    pack(out);
    return out;
  }

  // Reads MessagePack; throws Error for anything else, and for bytes after the value.
  static Value unpacked(const std::string& data) {
    Cursor cursor{reinterpret_cast<const unsigned char*>(data.data()), data.size(), 0};
    Value value = cursor.value(0);
    if (cursor.place != cursor.size) throw Error("MessagePack: bytes after the value", 1);
    return value;
  }

  // JSON text; bytes appear as {"$bytes": "00ff10"}.
  std::string json() const {
    std::string out;
    write_json(out);
    return out;
  }

  // Reads JSON; throws Error with the place for anything else.
  static Value from_json(const std::string& text) {
    JSON reader{text, 0};
    Value value = reader.value(0);
    reader.blank();
    if (reader.place != text.size()) reader.fail("text after the value");
    return value;
  }

 private:
  static constexpr int kDeepest = 64;
  Kind kind_ = Kind::nil;
  std::int64_t integer_ = 0;
  bool is_large_ = false;  // an unsigned integer above the signed ones
  double number_ = 0;
  std::string text_;
  std::vector<std::string> keys_;
  std::vector<Value> items_;

  static const Value& nothing() {
    static const Value value;
    return value;
  }

  static void big_endian(std::string& out, std::uint64_t value, int bytes) {
    for (int i = bytes - 1; i >= 0; i--) out.push_back(static_cast<char>(value >> (8 * i)));
  }
  static void head(std::string& out, std::size_t size, int small, std::size_t small_limit, int first, bool has_8) {
    if (size < small_limit)
      out.push_back(static_cast<char>(small | static_cast<int>(size)));
    else if (has_8 && size <= 0xff)
      out.push_back(static_cast<char>(first)), big_endian(out, size, 1);
    else if (size <= 0xffff)
      out.push_back(static_cast<char>(first + (has_8 ? 1 : 0))), big_endian(out, size, 2);
    else
      out.push_back(static_cast<char>(first + (has_8 ? 2 : 1))), big_endian(out, size, 4);
  }
  static void pack_text(std::string& out, const std::string& text) {
    head(out, text.size(), 0xa0, 32, 0xd9, true);
    out += text;
  }
  void pack_integer(std::string& out) const {
    auto write = [&](int code, int bytes) {
      out.push_back(static_cast<char>(code));
      big_endian(out, static_cast<std::uint64_t>(integer_), bytes);
    };
    if (is_large_) return write(0xcf, 8);
    if (integer_ >= 0) {
      if (integer_ < 0x80) return out.push_back(static_cast<char>(integer_));
      if (integer_ <= 0xff) return write(0xcc, 1);
      if (integer_ <= 0xffff) return write(0xcd, 2);
      if (integer_ <= 0xffffffffLL) return write(0xce, 4);
      return write(0xcf, 8);
    }
    if (integer_ >= -32) return out.push_back(static_cast<char>(integer_));
    if (integer_ >= INT8_MIN) return write(0xd0, 1);
    if (integer_ >= INT16_MIN) return write(0xd1, 2);
    if (integer_ >= INT32_MIN) return write(0xd2, 4);
    write(0xd3, 8);
  }
  void pack(std::string& out) const {
    switch (kind_) {
      case Kind::nil: out.push_back(static_cast<char>(0xc0)); break;
      case Kind::boolean: out.push_back(static_cast<char>(integer_ ? 0xc3 : 0xc2)); break;
      case Kind::integer: pack_integer(out); break;
      case Kind::number: {
        std::uint64_t bits;
        std::memcpy(&bits, &number_, sizeof bits);
        out.push_back(static_cast<char>(0xcb));
        big_endian(out, bits, 8);
        break;
      }
      case Kind::text: pack_text(out, text_); break;
      case Kind::bytes:
        head(out, text_.size(), 0, 0, 0xc4, true);
        out += text_;
        break;
      case Kind::list:
        head(out, items_.size(), 0x90, 16, 0xdc, false);
        for (const Value& item : items_) item.pack(out);
        break;
      case Kind::map:
        head(out, items_.size(), 0x80, 16, 0xde, false);
        for (std::size_t i = 0; i < items_.size(); i++) pack_text(out, keys_[i]), items_[i].pack(out);
        break;
    }
  }

  struct Cursor {
    const unsigned char* data;
    std::size_t size, place;

    [[noreturn]] static void fail(const char* why) { throw Error(std::string("MessagePack: ") + why, 1); }
    std::uint64_t number(int bytes) {
      if (size - place < static_cast<std::size_t>(bytes)) fail("the data ends within a value");
      std::uint64_t value = 0;
      for (int i = 0; i < bytes; i++) value = value << 8 | data[place++];
      return value;
    }
    std::string text(std::size_t length) {
      if (size - place < length) fail("the data ends within a text");
      std::string value(reinterpret_cast<const char*>(data + place), length);
      place += length;
      return value;
    }
    Value list(std::size_t count, int depth) {
      if (count > size - place) fail("a list is longer than the data");
      Value value = Value::list();
      for (std::size_t i = 0; i < count; i++) value.items_.push_back(this->value(depth + 1));
      return value;
    }
    Value map(std::size_t count, int depth) {
      if (count > size - place) fail("a map is longer than the data");
      Value value = Value::map();
      for (std::size_t i = 0; i < count; i++) {
        Value key = this->value(depth + 1);
        if (key.kind_ != Kind::text) fail("a key is no text");
        value.keys_.push_back(key.text_);
        value.items_.push_back(this->value(depth + 1));
      }
      return value;
    }
    Value value(int depth) {
      if (depth > kDeepest) fail("nested too deep");
      const unsigned code = static_cast<unsigned>(number(1));
      if (code < 0x80) return Value(static_cast<std::int64_t>(code));
      if (code < 0x90) return map(code & 0xf, depth);
      if (code < 0xa0) return list(code & 0xf, depth);
      if (code < 0xc0) return Value(text(code & 0x1f));
      if (code >= 0xe0) return Value(static_cast<std::int64_t>(static_cast<std::int8_t>(code)));
      switch (code) {
        case 0xc0: return Value();
        case 0xc2: return Value(false);
        case 0xc3: return Value(true);
        case 0xc4: return Value::bytes(text(number(1)));
        case 0xc5: return Value::bytes(text(number(2)));
        case 0xc6: return Value::bytes(text(number(4)));
        case 0xca: {
          const std::uint32_t bits = static_cast<std::uint32_t>(number(4));
          float value;
          std::memcpy(&value, &bits, sizeof value);
          return Value(static_cast<double>(value));
        }
        case 0xcb: {
          const std::uint64_t bits = number(8);
          double value;
          std::memcpy(&value, &bits, sizeof value);
          return Value(value);
        }
        case 0xcc: return Value(number(1));
        case 0xcd: return Value(number(2));
        case 0xce: return Value(number(4));
        case 0xcf: return Value(number(8));
        case 0xd0: return Value(static_cast<std::int64_t>(static_cast<std::int8_t>(number(1))));
        case 0xd1: return Value(static_cast<std::int64_t>(static_cast<std::int16_t>(number(2))));
        case 0xd2: return Value(static_cast<std::int64_t>(static_cast<std::int32_t>(number(4))));
        case 0xd3: return Value(static_cast<std::int64_t>(number(8)));
        case 0xd9: return Value(text(number(1)));
        case 0xda: return Value(text(number(2)));
        case 0xdb: return Value(text(number(4)));
        case 0xdc: return list(number(2), depth);
        case 0xdd: return list(number(4), depth);
        case 0xde: return map(number(2), depth);
        case 0xdf: return map(number(4), depth);
        default: fail("an extension, which the contract has not");
      }
    }
  };

  static void write_text(std::string& out, const std::string& text) {
    static const char* digits = "0123456789abcdef";
    out.push_back('"');
    for (const char letter : text) {
      const unsigned char byte = static_cast<unsigned char>(letter);
      if (letter == '"' || letter == '\\')
        out.push_back('\\'), out.push_back(letter);
      else if (letter == '\n')
        out += "\\n";
      else if (byte < 0x20)
        out += "\\u00", out.push_back(digits[byte >> 4]), out.push_back(digits[byte & 15]);
      else
        out.push_back(letter);
    }
    out.push_back('"');
  }
  void write_json(std::string& out) const {
    switch (kind_) {
      case Kind::nil: out += "null"; break;
      case Kind::boolean: out += integer_ ? "true" : "false"; break;
      case Kind::integer: out += is_large_ ? std::to_string(as_uint()) : std::to_string(integer_); break;
      case Kind::number: {
        char text[32];
        for (int digits : {15, 17}) {
          snprintf(text, sizeof text, "%.*g", digits, number_);
          if (std::strtod(text, nullptr) == number_) break;
        }
        out += text;
        break;
      }
      case Kind::text: write_text(out, text_); break;
      case Kind::bytes: {
        static const char* digits = "0123456789abcdef";
        out += "{\"$bytes\": \"";
        for (const char letter : text_) {
          const unsigned char byte = static_cast<unsigned char>(letter);
          out.push_back(digits[byte >> 4]), out.push_back(digits[byte & 15]);
        }
        out += "\"}";
        break;
      }
      case Kind::list:
      case Kind::map:
        out.push_back(kind_ == Kind::list ? '[' : '{');
        for (std::size_t i = 0; i < items_.size(); i++) {
          if (i > 0) out += ", ";
          if (kind_ == Kind::map) write_text(out, keys_[i]), out += ": ";
          items_[i].write_json(out);
        }
        out.push_back(kind_ == Kind::list ? ']' : '}');
        break;
    }
  }

  struct JSON {
    const std::string& text;
    std::size_t place;

    [[noreturn]] void fail(const std::string& why) const { throw Error("JSON, byte " + std::to_string(place) + ": " + why); }
    void blank() {
      while (place < text.size() && std::strchr(" \t\r\n", text[place])) place++;
    }
    char next() {
      blank();
      if (place >= text.size()) fail("the text ends");
      return text[place];
    }
    bool take(const char* word) {
      const std::size_t length = std::strlen(word);
      if (text.compare(place, length, word) != 0) return false;
      place += length;
      return true;
    }
    void expect(char letter) {
      if (next() != letter) fail(std::string("expected ") + letter);
      place++;
    }
    std::string string() {
      expect('"');
      std::string result;
      while (place < text.size() && text[place] != '"') {
        if (text[place] != '\\') {
          result.push_back(text[place++]);
          continue;
        }
        if (++place >= text.size()) break;
        const char letter = text[place++];
        static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
        if (letter == 'u') {
          unsigned code = unicode();
          if (code >= 0xd800 && code < 0xdc00 && take("\\u")) code = 0x10000 + ((code - 0xd800) << 10) + (unicode() - 0xdc00);
          append(result, code);
        } else if (const char* found = letter ? std::strchr(from, letter) : nullptr) {
          result.push_back(to[found - from]);
        } else {
          fail("an unknown escape");
        }
      }
      if (place >= text.size()) fail("the text ends within a string");
      place++;
      return result;
    }
    unsigned unicode() {
      if (text.size() - place < 4) fail("the text ends within an escape");
      const std::string digits = text.substr(place, 4);
      if (digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) fail("an unknown escape");
      place += 4;
      return static_cast<unsigned>(std::strtoul(digits.c_str(), nullptr, 16));
    }
    static void append(std::string& out, unsigned code) {
      if (code < 0x80) return out.push_back(static_cast<char>(code));
      const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
      static const int marks[] = {0, 0xc0, 0xe0, 0xf0};
      out.push_back(static_cast<char>(marks[more] | static_cast<int>(code >> (6 * more))));
      for (int i = more - 1; i >= 0; i--) out.push_back(static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3f)));
    }
    Value value(int depth) {
      if (depth > kDeepest) fail("nested too deep");
      const char first = next();
      if (first == '"') return Value(string());
      if (first == '{' || first == '[') return group(first, depth);
      if (take("true")) return Value(true);
      if (take("false")) return Value(false);
      if (take("null")) return Value();
      const std::size_t end = std::min(text.find_first_not_of("+-0123456789.eE", place), text.size());
      const std::string digits = text.substr(place, end - place);
      if (digits.empty()) fail("expected a value");
      char* stop = nullptr;
      const bool is_integer = digits.find_first_of(".eE") == std::string::npos;
      Value result = is_integer ? Value(static_cast<std::int64_t>(std::strtoll(digits.c_str(), &stop, 10)))
                                : Value(std::strtod(digits.c_str(), &stop));
      if (*stop != '\0') fail("not a number");
      place = end;
      return result;
    }
    Value group(char first, int depth) {
      Value result = first == '{' ? Value::map() : Value::list();
      const char last = first == '{' ? '}' : ']';
      place++;
      if (next() == last) return place++, result;
      while (true) {
        if (first == '{') {
          next();
          std::string key = string();
          expect(':');
          result.set(key, value(depth + 1));
        } else {
          result.push_back(value(depth + 1));
        }
        if (next() == last) return place++, result;
        expect(',');
      }
    }
  };
};

// One message: topic without the vehicle, and what came with it. A deleted key of a state has an empty payload (nil).
struct Message {
  std::string vehicle, topic;
  Value header, payload;

  std::int64_t stamp() const { return header["stamp"].as_int(); }
  bool is_latched() const { return header["latched"].as_bool(); }
};

namespace detail {

inline volatile sig_atomic_t stop_requested = 0;

inline std::int64_t now_ns(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}
inline double now_s() { return static_cast<double>(now_ns(CLOCK_MONOTONIC)) / 1e9; }
inline std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}
inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// A socket of libzmq; closed with its owner.
class Socket {
 public:
  Socket(void* context, int type) : socket_(zmq_socket(context, type)) {
    if (!socket_) throw Error(std::string("ZeroMQ: ") + zmq_strerror(zmq_errno()), 1);
  }
  ~Socket() { zmq_close(socket_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  void* raw() const { return socket_; }
  void set(int option, int value) { zmq_setsockopt(socket_, option, &value, sizeof value); }
  void subscribe(const std::string& prefix) { zmq_setsockopt(socket_, ZMQ_SUBSCRIBE, prefix.data(), prefix.size()); }
  void connect(const std::string& endpoint) {
    if (zmq_connect(socket_, endpoint.c_str()) != 0) throw Error(endpoint + ": " + zmq_strerror(zmq_errno()));
  }
  // False where nothing could be sent within the socket's timeout.
  bool send(const std::vector<std::string>& parts) {
    for (std::size_t i = 0; i < parts.size(); i++) {
      const int flags = i + 1 < parts.size() ? ZMQ_SNDMORE : 0;
      while (zmq_send(socket_, parts[i].data(), parts[i].size(), flags) < 0)
        if (zmq_errno() != EINTR) return false;
    }
    return true;
  }
  // The next message that is here; false where there is none.
  bool receive(std::vector<std::string>& parts) {
    parts.clear();
    while (true) {
      zmq_msg_t part;
      zmq_msg_init(&part);
      if (zmq_msg_recv(&part, socket_, ZMQ_DONTWAIT) < 0) return zmq_msg_close(&part), false;
      parts.emplace_back(static_cast<const char*>(zmq_msg_data(&part)), zmq_msg_size(&part));
      const bool has_more = zmq_msg_more(&part);
      zmq_msg_close(&part);
      if (!has_more) return true;
    }
  }

 private:
  void* socket_;
};

// The three endpoints of a base address, and the one of the joined form.
struct Endpoints {
  std::string in, out, control, joined;

  explicit Endpoints(const std::string& base) {
    const std::size_t colon = base.rfind(':');
    if (base.compare(0, 6, "tcp://") == 0 && colon > 5) {
      const std::string host = base.substr(0, colon + 1);
      const int port = std::atoi(base.c_str() + colon + 1);
      in = host + std::to_string(port), out = host + std::to_string(port + 1);
      control = host + std::to_string(port + 2), joined = host + std::to_string(port + 3);
    } else {
      in = base + "/in", out = base + "/out", control = base + "/control", joined = base + "/out.0";
    }
  }
};

// The mark of the joined form: 32-bit FNV-1a of a topic without its vehicle, big-endian; zero for the system's topics.
inline std::string mark(const std::string& leaf) {
  std::uint32_t hash = 0;
  if (!leaf.empty() && leaf[0] != '_') {
    hash = 2166136261u;
    for (const char letter : leaf) hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619u;
  }
  return {static_cast<char>(hash >> 24), static_cast<char>(hash >> 16), static_cast<char>(hash >> 8), static_cast<char>(hash)};
}

}  // namespace detail

// A stage: what it reads, publishes, answers, calls and can be configured with, and the loop that runs it.
class Node {
 public:
  using Input = std::function<void(const Message&)>;
  using Handler = std::function<Value(const Value& request, const std::string& vehicle)>;

  Node(std::string program, std::string about) : program_(std::move(program)), about_(std::move(about)) {}

  // Handles each message of a topic, named without the vehicle.
  Node& input(const std::string& topic, Input handler, bool is_required = false) {
    inputs_.push_back({topic, std::move(handler), is_required, 0});
    return *this;
  }
  // Declares a topic that the node publishes: its delivery class (stream, state, event) and schema, as Protocols/topics has them.
  Node& output(const std::string& topic, const std::string& delivery, const std::string& schema) {
    outputs_[topic] = {delivery, schema};
    return *this;
  }
  // Answers a call; throw CallError to refuse.
  Node& serve(const std::string& name, Handler handler) {
    served_[name] = std::move(handler);
    return *this;
  }
  // Declares a call that the node makes.
  Node& uses(const std::string& name) {
    used_.push_back(name);
    return *this;
  }
  // Runs a function every so many seconds of the machine, between the other handlers.
  Node& every(double seconds, std::function<void()> handler) {
    timers_.push_back({seconds, 0, std::move(handler)});
    return *this;
  }

  // A parameter; the reference has the value of the stack file once the node runs, and its default before.
  const Value& parameter(const std::string& name, Value value, const std::string& about, double minimum = -HUGE_VAL,
                         double maximum = HUGE_VAL, const std::string& unit = "") {
    Parameter& entry = parameters_[name];
    entry = {std::move(value), about, minimum, maximum, unit};
    return entry.value;
  }

  // State of a vehicle that the node keeps; it survives a restart. Published before events and replies, and every 0.25 s.
  Value& state(const std::string& vehicle) { return states_[vehicle]; }

  // Event time in nanoseconds since 1970 UTC: that of `_clock`, or of the last message; 0 while none is known.
  std::int64_t time_ns() const {
    return clock_ns_ == 0 ? 0 : clock_ns_ + static_cast<std::int64_t>((detail::now_s() - clock_at_s_) * clock_rate_ * 1e9);
  }

  // Publishes with vehicle, stamp and cause of what is being handled; false, counted, while there is no broker.
  bool publish(const std::string& topic, const Value& payload, const std::string& vehicle = "", const std::string& key = "") {
    const auto output = outputs_.find(topic);
    if (output == outputs_.end()) throw Error(program_ + " does not declare that it publishes " + topic, 1);
    const std::string whose = !vehicle.empty() ? vehicle : !occasion_.vehicle.empty() ? occasion_.vehicle : only_vehicle();
    if (output->second.first == "event") save(whose);
    Value header = Value::map({{"stamp", occasion_.stamp ? occasion_.stamp : time_ns()}, {"schema", output->second.second},
                               {"class", output->second.first}});
    if (!occasion_.cause.is_nil()) header.set("cause", occasion_.cause);
    if (!key.empty()) header.set("key", key);
    const std::string leaf = on_bus(topic);
    return send(topic[0] == '_' ? leaf : whose + "/" + leaf, header, payload.is_nil() ? "" : payload.packed());
  }

  // Calls another stage and returns its reply, or throws CallError; the watchdog is fed meanwhile.
  Value call(const std::string& name, const Value& request, std::string vehicle = "", int timeout_ms = 10'000) {
    if (served_.count(name)) throw Error(name + " is answered by this node: it would wait for itself", 1);
    if (vehicle.empty()) vehicle = !occasion_.vehicle.empty() ? occasion_.vehicle : only_vehicle();
    const std::string id = std::to_string(run_) + "-" + std::to_string(++calls_made_);
    const Value head = Value::map({{"op", "call"}, {"id", id}, {"name", on_bus(name)}, {"vehicle", vehicle}, {"timeout_ms", timeout_ms}});
    control_->send({head.packed(), request.is_nil() ? Value::map().packed() : request.packed()});
    const double deadline = detail::now_s() + timeout_ms / 1000.0 + 1;
    while (detail::now_s() < deadline) {
      if (detail::stop_requested) throw CallError("cancelled", "the node stops");
      wait({control_.get()}, 100);
      keep_alive();
      std::vector<std::string> parts;
      while (control_->receive(parts)) {
        const Value answer = Value::unpacked(parts[0]);
        if (answer["op"].as_text() != "reply" || answer["id"].as_text() != id) {
          later_.push_back(parts);
          continue;
        }
        if (answer["ok"].as_bool()) return parts.size() > 1 ? Value::unpacked(parts[1]) : Value::map();
        throw CallError(answer["code"].as_text(), answer["message"].as_text(), answer["field"].as_text());
      }
    }
    throw CallError("timeout", "no answer from the bus");
  }

  // Writes a line; navlaunch puts time and name before it.
  void log(const std::string& text) { std::cout << text << std::endl; }
  void warn(const std::string& text) { std::cerr << "warning: " << text << std::endl; }

  // Reads the command line (`--describe` prints the manifest, `--manifest FILE` writes it), runs, and returns the exit code.
  int main(int count, char** words) {
    try {
      for (int i = 1; i < count; i++) {
        const std::string word = words[i];
        if (word == "--describe") return std::cout << manifest().json() << std::endl, 0;
        if (word == "--manifest") {
          const std::string target = i + 1 < count ? words[i + 1] : std::string(words[0]) + ".json";
          std::ofstream file(target);
          file << manifest().json() << "\n";
          if (!file.flush()) throw Error(target + ": cannot be written", 1);
          return std::cout << target << std::endl, 0;
        }
        if (word == "--version") return std::cout << program_ << " " << kVersion << std::endl, 0;
        throw Error("unknown argument " + word + ": there are --describe, --manifest [FILE] and --version", 64);
      }
      run();
      return 0;
    } catch (const Error& error) {
      std::cerr << "error: " << error.what() << std::endl;
      return error.exit_code;
    } catch (const std::exception& error) {
      std::cerr << "error: " << error.what() << std::endl;
      return 1;
    }
  }

  // The manifest that the node reports to navlaunch.
  Value manifest() const {
    Value parameters = Value::list(), inputs = Value::list(), outputs = Value::list(), serves = Value::list(), calls = Value::list();
    Value required = Value::list();
    for (const auto& [name, one] : parameters_) {
      Value entry = Value::map({{"name", name}, {"kind", kind_of(one.value)}, {"about", one.about}, {"isRequired", false},
                                {"values", Value::list()}, {"defaultValue", one.value}});
      if (one.minimum > -HUGE_VAL) entry.set("minimum", one.minimum);
      if (one.maximum < HUGE_VAL) entry.set("maximum", one.maximum);
      if (!one.unit.empty()) entry.set("unit", one.unit);
      parameters.push_back(entry);
    }
    std::set<std::string> seen;
    for (const auto& one : inputs_) {
      if (seen.insert(one.topic).second) inputs.push_back(one.topic);
      if (one.is_required) required.push_back(one.topic);
    }
    for (const auto& one : outputs_) outputs.push_back(one.first);
    for (const auto& one : served_) serves.push_back(one.first);
    for (const auto& one : used_) calls.push_back(one);
    Value result = Value::map({{"name", program_}, {"about", about_}, {"parameters", parameters}, {"inputs", inputs},
                               {"outputs", outputs}, {"serves", serves}, {"calls", calls}});
    if (required.size() > 0) result.set("requires", required);
    return result;
  }

  // Runs until SIGTERM, SIGINT or the end of the launcher; throws Error where it cannot.
  void run() {
    read_environment();
    read_parameters();
    connect();
    join_bus();
    publish_status("ready");
    notify("READY=1");
    work();
    for (const auto& one : states_) save(one.first);
    publish_status("stopping");
    notify("STOPPING=1");
    control_->send({Value::map({{"op", "bye"}}).packed()});
    subscriber_.reset(), control_.reset(), publisher_.reset();  // waits until all is sent, 500 ms at most
    context_.reset();
  }

 private:
  struct Reader {
    std::string topic;
    Input handler;
    bool is_required;
    std::uint64_t received;
  };
  struct Parameter {
    Value value;
    std::string about;
    double minimum, maximum;
    std::string unit;
  };
  struct Timer {
    double seconds, due_s;
    std::function<void()> handler;
  };
  // The context of the event that is being handled.
  struct Occasion {
    std::string vehicle;
    std::int64_t stamp = 0;
    Value cause;
  };
  struct Kept {
    std::string topic;
    Value header;
    std::string payload;
    double at_s;
  };
  // Where the last message of a topic, or of a key of it, came from.
  struct Origin {
    std::string source;
    std::uint64_t run, seq;
    std::int64_t stamp;
  };
  struct ContextEnd {
    void operator()(void* context) const { zmq_ctx_term(context); }
  };

  std::string program_, about_, name_, base_;
  std::vector<Reader> inputs_;
  std::map<std::string, std::pair<std::string, std::string>> outputs_;
  std::map<std::string, Handler> served_;
  std::vector<std::string> used_;
  std::vector<Timer> timers_;
  std::map<std::string, Parameter> parameters_;
  std::vector<std::string> vehicles_;
  std::map<std::string, std::string> wiring_, own_names_;
  std::map<std::string, Value> states_;
  std::map<std::string, std::string> saved_;
  std::map<std::string, std::uint64_t> numbers_;
  std::map<std::pair<std::string, std::string>, Kept> last_states_;
  std::deque<Kept> last_events_;
  std::map<std::pair<std::string, std::string>, Origin> values_;
  std::map<std::string, std::int64_t> failures_;
  std::deque<std::vector<std::string>> later_, early_;
  Occasion occasion_;
  std::string why_;
  std::uint64_t run_ = 0, broker_run_ = 0, clock_run_ = 0, calls_made_ = 0, refused_ = 0, malformed_ = 0;
  std::int64_t clock_ns_ = 0;
  double clock_at_s_ = 0, clock_rate_ = 1, watchdog_s_ = 1, next_ping_s_ = 0, next_watchdog_s_ = 0, started_s_ = 0, loop_age_s_ = 0;
  bool is_welcome_ = false, was_connected_ = false;
  std::string rejection_;
  pid_t parent_ = 0, launcher_ = 0;
  std::unique_ptr<void, ContextEnd> context_;
  std::unique_ptr<detail::Socket> publisher_, subscriber_, control_;

  static std::string kind_of(const Value& value) {
    switch (value.kind()) {
      case Value::Kind::boolean: return "bool";
      case Value::Kind::integer: return "int";
      case Value::Kind::number: return "double";
      case Value::Kind::list: return "strings";
      default: return "string";
    }
  }
  std::string on_bus(const std::string& name) const {
    const auto found = wiring_.find(name);
    return found == wiring_.end() ? name : found->second;
  }
  std::string own(const std::string& name) const {
    const auto found = own_names_.find(name);
    return found == own_names_.end() ? name : found->second;
  }
  std::string only_vehicle() const { return vehicles_.size() == 1 ? vehicles_[0] : throw Error("publish or call for which vehicle? name it", 1); }

  // --- starting

  void read_environment() {
    base_ = detail::variable("NAV_BUS");
    if (base_.empty()) throw Error("NAV_BUS is not set: navlaunch prints the address, such as NAV_BUS=ipc:///run/user/1000/navstack/demo");
    for (const char* name : {"NAV_STANDBY", "NAV_LOCKSTEP", "NAV_GROUP"})
      if (const std::string value = detail::variable(name); !value.empty() && value != "0")
        throw Error(std::string(name) + ": this node cannot be a standby, a replica or led in lock-step");
    name_ = detail::variable("NAV_NODE").empty() ? program_ : detail::variable("NAV_NODE");
    const std::string vehicle = std::getenv("NAV_VEHICLE") ? detail::variable("NAV_VEHICLE") : "ego";
    if (vehicle != "any" && vehicle != "*") vehicles_ = detail::split(vehicle, ',');
    for (const std::string& pair : detail::split(detail::variable("NAV_WIRE"), ',')) {
      const std::size_t middle = pair.find('=');
      if (middle == std::string::npos || middle == 0) throw Error("NAV_WIRE: \"" + pair + "\" is no pair such as location/raw=gps/fix");
      wiring_[pair.substr(0, middle)] = pair.substr(middle + 1);
      own_names_[pair.substr(middle + 1)] = pair.substr(0, middle);
    }
    if (const std::string us = detail::variable("WATCHDOG_USEC"); !us.empty())
      watchdog_s_ = std::max(0.02, std::min(1.0, std::strtod(us.c_str(), nullptr) / 3e6));
    const std::string epoch = detail::variable("NAV_RUN_EPOCH");
    run_ = epoch.empty() ? static_cast<std::uint64_t>(detail::now_ns(CLOCK_REALTIME) / 1000)
                         : std::strtoull(epoch.c_str(), nullptr, 10) + static_cast<std::uint64_t>(detail::now_ns(CLOCK_MONOTONIC) / 1000);
    started_s_ = detail::now_s();
    struct sigaction action = {};
    action.sa_handler = [](int) { detail::stop_requested = 1; };
    sigaction(SIGTERM, &action, nullptr);
    sigaction(SIGINT, &action, nullptr);
    if (!detail::variable("NAV_NODE").empty()) {
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      parent_ = getppid();
      launcher_ = static_cast<pid_t>(std::atoi(detail::variable("NAV_LAUNCHER_PID").c_str()));
    }
  }

  void read_parameters() {
    const std::string path = detail::variable("NAV_PARAMS");
    if (path.empty()) return;
    std::ifstream file(path);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!file) throw Error(path + ": cannot be read");
    Value given;
    try {
      given = Value::from_json(text);
    } catch (const Error& error) {
      throw Error(path + ": " + error.what());
    }
    std::string problems;
    for (std::size_t i = 0; i < given.keys().size(); i++) {
      const std::string problem = set_parameter(given.keys()[i], given.items()[i]);
      if (!problem.empty()) problems += (problems.empty() ? "" : "; ") + problem;
    }
    if (!problems.empty()) throw Error(problems);
  }

  // Why a parameter cannot have a value; empty where it now has it.
  std::string set_parameter(const std::string& name, const Value& value) {
    const auto found = parameters_.find(name);
    if (found == parameters_.end()) return "unknown parameter \"" + name + "\"";
    Parameter& entry = found->second;
    Value taken = value;
    if (entry.value.kind() == Value::Kind::number && value.kind() == Value::Kind::integer) taken = Value(value.as_double());
    if (taken.kind() != entry.value.kind()) return "parameter \"" + name + "\": " + value.json() + " is no " + kind_of(entry.value);
    const double number = taken.as_double(entry.minimum > -HUGE_VAL ? entry.minimum : 0);
    if (number < entry.minimum || number > entry.maximum) return "parameter \"" + name + "\": " + value.json() + " is out of range";
    entry.value = taken;
    return "";
  }

  void connect() {
    const detail::Endpoints endpoints(base_);
    context_.reset(zmq_ctx_new());
    publisher_ = std::make_unique<detail::Socket>(context_.get(), ZMQ_PUSH);
    publisher_->set(ZMQ_IMMEDIATE, 1);  // without a broker nothing is kept to arrive late
    publisher_->set(ZMQ_LINGER, 500);
    publisher_->set(ZMQ_SNDTIMEO, 2'000);
    publisher_->connect(endpoints.in);
    control_ = std::make_unique<detail::Socket>(context_.get(), ZMQ_DEALER);
    control_->set(ZMQ_LINGER, 500);
    control_->set(ZMQ_SNDTIMEO, 2'000);
    control_->set(ZMQ_RCVHWM, 0);
    control_->connect(endpoints.control);
    subscriber_ = std::make_unique<detail::Socket>(context_.get(), ZMQ_SUB);
    subscriber_->set(ZMQ_LINGER, 0);
    subscriber_->set(ZMQ_SNDHWM, 0);
    subscriber_->set(ZMQ_RCVHWM, 100'000);
    for (const std::string& pattern : patterns()) subscriber_->subscribe(prefix_of(pattern));
    subscriber_->subscribe(prefix_of("_bus/sync/" + name_));
    subscriber_->connect(is_joined() ? endpoints.joined : endpoints.out);
  }

  // A stack that serves any vehicle is read in the joined form, which sends one topic of every vehicle and nothing else.
  bool is_joined() const { return vehicles_.empty(); }

  std::vector<std::string> patterns() const {
    std::set<std::string> found = {"_clock"};
    for (const auto& one : inputs_) {
      const std::string leaf = on_bus(one.topic);
      if (leaf[0] == '_') found.insert(leaf);
      else if (vehicles_.empty()) found.insert("*/" + leaf);
      else for (const std::string& vehicle : vehicles_) found.insert(vehicle + "/" + leaf);
    }
    return {found.begin(), found.end()};
  }
  std::string prefix_of(const std::string& pattern) const {
    if (!is_joined()) return pattern;
    if (pattern.compare(0, 2, "*/") == 0) return detail::mark(pattern.substr(2));
    return std::string(4, '\0') + pattern;
  }

  void register_node() {
    Value publishes = Value::list(), subscribes = Value::list(), serves = Value::list();
    for (const auto& one : outputs_) publishes.push_back(Value::map({{"topic", on_bus(one.first)}, {"class", one.second.first}}));
    for (const std::string& one : patterns()) subscribes.push_back(one);
    for (const auto& one : served_) serves.push_back(on_bus(one.first));
    control_->send({Value::map({{"op", "register"}, {"name", name_}, {"run", run_}, {"kind", "node"}, {"version", kVersion},
                                {"pid", static_cast<std::int64_t>(getpid())}, {"publishes", publishes}, {"subscribes", subscribes},
                                {"serves", serves}}).packed()});
  }

  // Registers, waits until the subscriptions are in place, and takes back the states that an earlier process saved.
  void join_bus() {
    register_node();
    bool is_synced = false, is_restored = false, asked = false;
    double next_sync = 0;
    const double begin = detail::now_s();
    while (!(is_welcome_ && is_synced && is_restored)) {
      const double now = detail::now_s();
      if (detail::stop_requested) return;
      if (now - begin > 20) throw Error("no broker at " + base_ + " within 20 s", 69);
      if (!rejection_.empty()) {
        if (now - begin > 5) throw Error("the bus: " + rejection_);
        rejection_.clear();  // a predecessor of the same name may take a moment to be gone
        register_node();
      }
      if (!is_synced && now >= next_sync) {
        next_sync = now + 0.1;
        control_->send({Value::map({{"op", "sync"}, {"token", 1}, {"name", name_}}).packed()});
      }
      if (is_synced && !asked) {
        asked = true;
        Value wanted = Value::list({"_state/" + name_});
        if (is_joined())
          for (const std::string& one : patterns()) wanted.push_back(one);
        control_->send({Value::map({{"op", "snapshot"}, {"token", 2}, {"patterns", wanted}}).packed()});
      }
      wait({control_.get(), subscriber_.get()}, 50);
      keep_alive();
      std::vector<std::string> parts;
      while (subscriber_->receive(parts)) {
        std::vector<std::string> message = split_frames(parts);
        if (message.empty()) continue;
        if (message[0] == "_bus/sync/" + name_) is_synced = true;
        else early_.push_back(message);
      }
      while (control_->receive(parts)) {
        const Value head = Value::unpacked(parts[0]);
        const std::string operation = head["op"].as_text();
        if (operation == "item" && parts.size() == 4) {
          if (parts[1] == "_state/" + name_) restore(parts[3]);
          else early_.push_front({parts[1], parts[2], parts[3]});
        } else if (operation == "end") {
          is_restored = true;
        } else if (operation == "call") {
          later_.push_back(parts);  // answered once the states are there
        } else {
          control(head, parts);
        }
      }
    }
  }

  void restore(const std::string& data) {
    if (data.empty()) return;
    const Value value = Value::unpacked(data);
    if (!value["program"].is_nil() && value["program"].as_text() != program_) return;
    states_[value["vehicle"].as_text()] = Value::unpacked(value["state"].as_text());
    saved_[value["vehicle"].as_text()] = value["state"].as_text();
  }

  // --- working

  void work() {
    for (auto& timer : timers_) timer.due_s = detail::now_s() + timer.seconds;
    double next_status = detail::now_s() + 1, next_save = 0;
    while (!detail::stop_requested && !is_orphaned()) {
      std::vector<std::string> parts;
      for (; !early_.empty(); early_.pop_front()) message(early_.front());
      for (; !later_.empty(); later_.pop_front()) control(Value::unpacked(later_.front()[0]), later_.front());
      // A flood on one socket must not starve the other one, the timers and the watchdog.
      for (int i = 0; i < 256 && subscriber_->receive(parts); i++) message(split_frames(parts));
      for (int i = 0; i < 64 && control_->receive(parts); i++) guard("control", [&] { control(Value::unpacked(parts[0]), parts); });
      if (!rejection_.empty()) throw Error("the bus: " + rejection_);
      const double now = detail::now_s();
      double next = std::min(next_status, now + 0.25);
      for (auto& timer : timers_) {
        if (timer.due_s <= now) {
          timer.due_s = std::max(timer.due_s + timer.seconds, now);
          occasion_ = {"", 0, Value::list({"_clock", name_, 0, 0})};
          guard("timer", timer.handler);
          occasion_ = {};
        }
        next = std::min(next, timer.due_s);
      }
      if (next_save <= now) {
        next_save = now + 0.25;
        for (const auto& one : states_) save(one.first);
      }
      if (next_status <= now) {
        next_status = now + 1;
        publish_status("ready");
      }
      keep_alive();
      if (early_.empty() && later_.empty()) wait({control_.get(), subscriber_.get()}, static_cast<long>(std::max(0.0, next - now) * 1000) + 1);
    }
  }

  void wait(std::initializer_list<detail::Socket*> sockets, long milliseconds) {
    std::vector<zmq_pollitem_t> items;
    for (detail::Socket* socket : sockets) items.push_back({socket->raw(), 0, ZMQ_POLLIN, 0});
    zmq_poll(items.data(), static_cast<int>(items.size()), milliseconds);
  }

  bool is_orphaned() const {
    if (parent_ != 0 && getppid() != parent_) return true;
    return launcher_ > 0 && kill(launcher_, 0) != 0 && errno == ESRCH;
  }

  // Pings the broker and feeds the watchdog.
  void keep_alive() {
    const double now = detail::now_s();
    if (now >= next_ping_s_) next_ping_s_ = now + 0.5, control_->send({Value::map({{"op", "ping"}}).packed()});
    if (now >= next_watchdog_s_) next_watchdog_s_ = now + watchdog_s_, notify("WATCHDOG=1");
  }

  // Topic, header and payload of a message in three parts or in the joined form; empty for anything else.
  std::vector<std::string> split_frames(const std::vector<std::string>& parts) {
    if (!is_joined()) return parts.size() == 3 ? parts : (malformed_++, std::vector<std::string>());
    if (parts.size() != 1) return malformed_++, std::vector<std::string>();
    const std::string& data = parts[0];
    const std::size_t end = data.size() < 9 ? std::string::npos : data.find('\0', 4);
    if (end == std::string::npos || data.size() < end + 5) return malformed_++, std::vector<std::string>();
    std::size_t length = 0;
    for (std::size_t i = 1; i <= 4; i++) length = length << 8 | static_cast<unsigned char>(data[end + i]);
    if (length > data.size() - end - 5) return malformed_++, std::vector<std::string>();
    return {data.substr(4, end - 4), data.substr(end + 5, length), data.substr(end + 5 + length)};
  }

  void message(const std::vector<std::string>& parts) {
    if (parts.empty() || parts[0].compare(0, 5, "_bus/") == 0) return;
    Message found;
    const std::size_t slash = parts[0].find('/');
    const bool is_system = parts[0][0] == '_' || slash == std::string::npos;
    found.vehicle = is_system ? "" : parts[0].substr(0, slash);
    const std::string leaf = is_system ? parts[0] : parts[0].substr(slash + 1);
    found.topic = own(leaf);
    try {
      found.header = Value::unpacked(parts[1]);
      if (!parts[2].empty()) found.payload = Value::unpacked(parts[2]);
    } catch (const std::exception& error) {
      if (malformed_++ % 1000 == 0) warn(parts[0] + " refused: " + error.what());
      return;
    }
    if (is_repeated(parts[0], found.header)) return;
    if (leaf == "_clock") set_clock(found.payload);
    else if (!is_system && clock_run_ == 0 && found.stamp() > time_ns()) clock_ns_ = found.stamp(), clock_at_s_ = detail::now_s();
    const double begin = detail::now_s();
    for (Reader& one : inputs_) {
      if (one.topic != found.topic) continue;
      one.received++;
      occasion_ = {found.vehicle, found.stamp(), Value::list({leaf, found.header["src"], found.header["run"], found.header["seq"]})};
      guard(one.topic, [&] { one.handler(found); });
      occasion_ = {};
    }
    loop_age_s_ = std::max(loop_age_s_, detail::now_s() - begin);
  }

  // Whether a message was here before: the broker sends last values again for every new subscription of anybody, and after its
  // restart nodes publish states and events of 30 s again. All of these are latched.
  bool is_repeated(const std::string& topic, const Value& header) {
    const Origin origin{header["src"].as_text(), header["run"].as_uint(), header["seq"].as_uint(), header["stamp"].as_int()};
    const auto key = std::make_pair(topic, header["key"].as_text());
    const auto known = values_.find(key);
    if (header["latched"].as_bool() && known != values_.end()) {
      const Origin& last = known->second;
      if (last.source == origin.source ? std::tie(origin.run, origin.seq) <= std::tie(last.run, last.seq) : origin.stamp <= last.stamp) return true;
    }
    values_[key] = origin;
    return false;
  }

  void set_clock(const Value& clock) {
    clock_ns_ = clock["now_ns"].as_int(), clock_run_ = clock["run"].as_uint(), clock_at_s_ = detail::now_s();
    clock_rate_ = clock["paused"].as_bool() ? 0 : clock["rate"].as_double(1);
  }

  void control(const Value& head, const std::vector<std::string>& parts) {
    const std::string operation = head["op"].as_text();
    if (operation == "welcome" || operation == "pong") {
      const std::uint64_t before = broker_run_;
      broker_run_ = head["run"].as_uint();
      if (head["code"].as_text() == "second_server") throw Error("the bus: " + head["message"].as_text());
      if (operation == "welcome") is_welcome_ = true;
      else if (!head["known"].as_bool()) register_node();
      if (before != 0 && before != broker_run_) repeat_to_new_broker();
    } else if (operation == "rejected") {
      rejection_ = head["message"].as_text();
    } else if (operation == "call") {
      serve_call(head, parts.size() > 1 ? parts[1] : "");
    } else if (operation == "refused") {
      warn("the broker drops " + head["topic"].as_text() + ": " + head["name"].as_text() + " publishes it");
    }
  }

  void serve_call(const Value& head, const std::string& data) {
    Value reply = Value::map({{"op", "reply"}, {"id", head["id"].as_text()}, {"ok", false}});
    std::string payload;
    const std::string name = own(head["name"].as_text()), vehicle = head["vehicle"].is_nil() ? "ego" : head["vehicle"].as_text();
    occasion_ = {vehicle, time_ns(), Value::list({"_svc/" + head["name"].as_text(), head["src"].as_text(), 0, 0})};
    try {
      const auto handler = served_.find(name);
      if (handler == served_.end()) throw CallError("no_such_service", "this node does not answer " + name);
      const Value request = data.empty() ? Value::map() : Value::unpacked(data);
      payload = handler->second(request, vehicle).packed();
      reply.set("ok", true);
    } catch (const CallError& error) {
      reply.set("code", error.code).set("message", error.what());
      if (!error.field.empty()) reply.set("field", error.field);
    } catch (const std::exception& error) {
      reply.set("code", "internal").set("message", error.what());
    }
    occasion_ = {};
    if (states_.count(vehicle)) save(vehicle);
    control_->send(reply["ok"].as_bool() ? std::vector<std::string>{reply.packed(), payload} : std::vector<std::string>{reply.packed()});
  }

  // Runs a handler; what it throws is logged and counted, and the node goes on.
  void guard(const std::string& place, const std::function<void()>& handler) {
    try {
      handler();
    } catch (const Error& error) {
      if (error.exit_code == 78) throw;
      failed(place, error.what());
    } catch (const std::exception& error) {
      failed(place, error.what());
    }
  }
  void failed(const std::string& place, const std::string& text) {
    why_ = "the handler of " + place + " failed: " + text;
    if (failures_[place]++ % 100 == 0) std::cerr << "error: " << why_ << std::endl;
  }

  // --- publishing

  bool send(const std::string& topic, Value header, const std::string& payload) {
    header.set("seq", ++numbers_[topic]).set("src", name_).set("run", run_);
    const Kept kept{topic, header, payload, detail::now_s()};
    if (header["class"].as_text() == "state") last_states_[{topic, header["key"].as_text()}] = kept;
    if (header["class"].as_text() == "event") last_events_.push_back(kept);
    while (!last_events_.empty() && last_events_.front().at_s < kept.at_s - 30) last_events_.pop_front();
    const bool is_sent = publisher_->send({topic, header.packed(), payload});
    if (is_sent && !was_connected_) was_connected_ = true, publisher_->set(ZMQ_SNDTIMEO, 80);
    if (!is_sent && refused_++ == 0) warn("the bus takes no messages: they are dropped and counted until it does");
    return is_sent;
  }

  // A new broker knows nothing: last states and the events of 30 s go out resend, under their numbers.
  void repeat_to_new_broker() {
    auto resend = [this](const Kept& kept) {
      Value header = kept.header;
      publisher_->send({kept.topic, header.set("latched", true).packed(), kept.payload});
    };
    for (const auto& one : last_states_) resend(one.second);
    for (const Kept& one : last_events_) resend(one);
  }

  void save(const std::string& vehicle) {
    const auto found = states_.find(vehicle);
    if (found == states_.end()) return;
    const std::string data = (found->second.is_nil() ? Value::map() : found->second).packed();
    if (saved_[vehicle] == data) return;
    saved_[vehicle] = data;
    const Value value = Value::map({{"vehicle", vehicle}, {"program", program_}, {"saved_ns", time_ns()}, {"state", Value::bytes(data)}});
    send("_state/" + name_, Value::map({{"stamp", time_ns()}, {"schema", "state/1.0"}, {"class", "state"}, {"key", vehicle}}), value.packed());
  }

  void publish_status(const std::string& state) {
    Value subscriptions = Value::map(), publications = Value::map(), refusals = Value::map();
    std::string word = state, why = why_;
    for (const auto& one : inputs_) {
      subscriptions.set(one.topic, Value::map({{"received", one.received}, {"health", one.received ? "ok" : "never"}}));
      if (one.is_required && !one.received && why.empty()) why = one.topic + " never came";
    }
    for (const auto& one : numbers_) {
      const std::string leaf = one.first[0] == '_' ? one.first : one.first.substr(one.first.find('/') + 1);
      const std::uint64_t before = publications[leaf]["sent"].as_uint();
      publications.set(leaf, Value::map({{"sent", before + one.second}, {"last_seq", std::max(one.second, publications[leaf]["last_seq"].as_uint())}}));
    }
    for (const auto& one : failures_) refusals.set(one.first + " handler_failed", one.second);
    if (malformed_) refusals.set("encoding", malformed_);
    if (word == "ready" && !why.empty()) word = "degraded";
    Value status = Value::map({{"node", name_}, {"program", program_}, {"version", kVersion}, {"state", word},
                               {"pid", static_cast<std::int64_t>(getpid())}, {"run", run_}, {"uptime_s", detail::now_s() - started_s_},
                               {"loop_age_ms", loop_age_s_ * 1000}, {"vehicles", static_cast<std::uint64_t>(std::max(vehicles_.size(), states_.size()))},
                               {"subscriptions", subscriptions}, {"publications", publications},
                               {"counters", Value::map({{"publications_refused", refused_}})}, {"refusals", refusals}});
    if (!why.empty()) status.set("why", why);
    loop_age_s_ = 0;
    why_.clear();
    send("_node/" + name_ + "/status", Value::map({{"stamp", time_ns()}, {"schema", "node_status/1.0"}, {"class", "state"}}), status.packed());
  }

  // Reports to the supervisor by systemd's notify protocol.
  void notify(const std::string& text) {
    const std::string path = detail::variable("NOTIFY_SOCKET");
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof address.sun_path) return;
    std::memcpy(address.sun_path, path.c_str(), path.size());
    if (path[0] == '@') address.sun_path[0] = '\0';
    const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket < 0) return;
    const socklen_t length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
    sendto(socket, text.data(), text.size(), 0, reinterpret_cast<const sockaddr*>(&address), length);
    close(socket);
  }
};

}  // namespace navstack
