# Publishes one location in Ruby, over ipc: ruby publish.rb BASE TIME_NS LAT LON; ruby-ffi-rzmq, ruby-msgpack
require "ffi-rzmq"; require "msgpack"
base, stamp, lat, lon = ARGV[0], ARGV[1].to_i, ARGV[2].to_f, ARGV[3].to_f
header = {seq: 1, stamp: stamp, run: (Time.now.to_r * 1_000_000).to_i, src: "publish.rb", schema: "location_raw/1.0", class: "stream"}
context = ZMQ::Context.new
socket = context.socket(ZMQ::PUSH)
{ZMQ::IMMEDIATE => 1, ZMQ::SNDTIMEO => 2_000, ZMQ::LINGER => 2_000}.each { |option, value| socket.setsockopt(option, value) }
ok = socket.connect(base + "/in") >= 0 && # without a broker the first send fails after two seconds
  socket.send_strings(["ego/location/raw", header.to_msgpack, {time_ns: stamp, lat_deg: lat, lon_deg: lon}.to_msgpack]) >= 0
abort "no broker at #{base}/in: #{ZMQ::Util.error_string}" unless ok
socket.close; context.terminate # waits until it is sent
