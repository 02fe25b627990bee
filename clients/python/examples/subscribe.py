"""Prints a topic: python subscribe.py BASE [TOPIC ...]; needs no navstack module."""
import sys, zmq, msgpack
s = zmq.Context().socket(zmq.SUB); s.connect(sys.argv[1] + "/out")
[s.subscribe(topic) for topic in sys.argv[2:] or [""]]
while True:
    topic, header, payload = s.recv_multipart()
    print(topic.decode(), msgpack.unpackb(header), msgpack.unpackb(payload) if payload else None, flush=True)
