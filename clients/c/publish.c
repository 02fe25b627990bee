/* Publishes one location in C, over ipc: publish BASE TIME_NS LAT LON; cc publish.c -lzmq -lmsgpackc */
#include <msgpack.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <zmq.h>

static void text(msgpack_packer *map, const char *word) {
  msgpack_pack_str(map, strlen(word));
  msgpack_pack_str_body(map, word, strlen(word));
}

static void number(msgpack_packer *map, const char *key, int64_t value) {
  text(map, key), msgpack_pack_int64(map, value);
}

int main(int count, char **words) {
  if (count != 5) return fprintf(stderr, "usage: publish BASE TIME_NS LAT LON\n"), 64;
  int64_t stamp = strtoll(words[2], NULL, 10);
  msgpack_sbuffer head, body;
  msgpack_packer header, payload;
  msgpack_sbuffer_init(&head), msgpack_packer_init(&header, &head, msgpack_sbuffer_write);
  msgpack_sbuffer_init(&body), msgpack_packer_init(&payload, &body, msgpack_sbuffer_write);

  msgpack_pack_map(&header, 6);
  number(&header, "seq", 1), number(&header, "stamp", stamp);
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  number(&header, "run", (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000); /* greater at each start */
  text(&header, "src"), text(&header, "publish.c");
  text(&header, "schema"), text(&header, "location_raw/1.0");
  text(&header, "class"), text(&header, "stream");

  msgpack_pack_map(&payload, 3);
  number(&payload, "time_ns", stamp);
  text(&payload, "lat_deg"), msgpack_pack_double(&payload, strtod(words[3], NULL));
  text(&payload, "lon_deg"), msgpack_pack_double(&payload, strtod(words[4], NULL));

  char endpoint[512];
  snprintf(endpoint, sizeof endpoint, "%s/in", words[1]);
  void *context = zmq_ctx_new(), *socket = zmq_socket(context, ZMQ_PUSH);
  int patience_ms = 2000, connected_only = 1; /* without a broker a send fails, and keeps nothing for later */
  zmq_setsockopt(socket, ZMQ_IMMEDIATE, &connected_only, sizeof connected_only);
  zmq_setsockopt(socket, ZMQ_LINGER, &patience_ms, sizeof patience_ms);
  zmq_setsockopt(socket, ZMQ_SNDTIMEO, &patience_ms, sizeof patience_ms);
  if (zmq_connect(socket, endpoint) != 0) return perror(endpoint), 1;
  const char *topic = "ego/location/raw";
  if (zmq_send(socket, topic, strlen(topic), ZMQ_SNDMORE) < 0 || zmq_send(socket, head.data, head.size, ZMQ_SNDMORE) < 0 ||
      zmq_send(socket, body.data, body.size, 0) < 0)
    return fprintf(stderr, "no broker at %s: %s\n", endpoint, zmq_strerror(zmq_errno())), 1;
  zmq_close(socket);
  zmq_ctx_term(context); /* waits until it is sent */
}
