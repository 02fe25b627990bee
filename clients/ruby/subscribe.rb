# Prints a topic in Ruby, over ipc: ruby subscribe.rb BASE [TOPIC ...]; ruby-ffi-rzmq, ruby-msgpack
require "ffi-rzmq"; require "msgpack"; require "json"
socket = ZMQ::Context.new.socket(ZMQ::SUB); socket.connect(ARGV[0] + "/out")
(ARGV[1..].empty? ? [""] : ARGV[1..]).each { |topic| socket.setsockopt(ZMQ::SUBSCRIBE, topic) }
while socket.recv_strings(parts = []) >= 0
  puts [parts[0], *parts[1..].map { |part| (part.empty? ? nil : MessagePack.unpack(part)).to_json }].join(" "); $stdout.flush
end
