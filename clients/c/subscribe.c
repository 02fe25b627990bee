/* Prints a topic in C, over ipc: subscribe BASE [TOPIC ...]; cc subscribe.c -lzmq -lmsgpackc */
#include <msgpack.h>
#include <stdio.h>
#include <stdlib.h>
#include <zmq.h>

/* Receives one frame and prints it as MessagePack, or as text where it is the topic. */
static int frame(void *socket, int is_topic) {
  zmq_msg_t part;
  zmq_msg_init(&part);
  if (zmq_msg_recv(&part, socket, 0) < 0) perror("receive"), exit(1);
  msgpack_unpacked value;
  msgpack_unpacked_init(&value);
  if (is_topic)
    printf("%.*s", (int)zmq_msg_size(&part), (char *)zmq_msg_data(&part));
  else if (msgpack_unpack_next(&value, zmq_msg_data(&part), zmq_msg_size(&part), NULL) > 0)
    putchar(' '), msgpack_object_print(stdout, value.data);
  else
    printf(" nil"); /* an empty payload: the key was deleted */
  msgpack_unpacked_destroy(&value);
  int more = zmq_msg_more(&part);
  zmq_msg_close(&part);
  return more;
}

int main(int count, char **words) {
  if (count < 2) return fprintf(stderr, "usage: subscribe BASE [TOPIC ...]\n"), 64;
  char endpoint[512];
  snprintf(endpoint, sizeof endpoint, "%s/out", words[1]);
  void *context = zmq_ctx_new(), *socket = zmq_socket(context, ZMQ_SUB);
  if (zmq_connect(socket, endpoint) != 0) return perror(endpoint), 1;
  for (int i = 2; i < count; i++) zmq_setsockopt(socket, ZMQ_SUBSCRIBE, words[i], strlen(words[i]));
  if (count == 2) zmq_setsockopt(socket, ZMQ_SUBSCRIBE, "", 0);
  for (;;) {
    for (int is_topic = 1; frame(socket, is_topic); is_topic = 0) {}
    putchar('\n');
    fflush(stdout);
  }
}
