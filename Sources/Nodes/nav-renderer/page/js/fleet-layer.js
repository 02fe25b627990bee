// Draws all vehicles in one call of WebGL: the shader moves them between two frames.

import { STATES, relativeMatrix } from "./fleet-model.js";

const VERTEX = `#version 300 es
precision highp float;
uniform mat4 u_matrix;
uniform float u_share;
uniform float u_size;
uniform int u_chosen;
uniform int u_hidden;
in vec4 a_step;
in vec2 a_turn;
in float a_state;
out vec2 v_turn;
flat out int v_state;
flat out int v_chosen;
void main() {
  int state = int(a_state);
  v_state = state;
  v_chosen = gl_VertexID == u_chosen ? 1 : 0;
  gl_Position = u_matrix * vec4(mix(a_step.xy, a_step.zw, u_share), 0.0, 1.0);
  if (state == 0 || ((u_hidden >> state) & 1) == 1) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  float angle = mix(a_turn.x, a_turn.y, u_share) * 6.2831853;
  v_turn = vec2(cos(angle), sin(angle));
  gl_PointSize = u_size * (v_chosen == 1 ? 1.5 : 1.0);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 u_colours[9];
uniform vec3 u_edge;
uniform float u_size;
uniform float u_bearing;
uniform float u_arrow;
in vec2 v_turn;
flat in int v_state;
flat in int v_chosen;
out vec4 colour;
float segment(vec2 p, vec2 a, vec2 b) {
  vec2 d = b - a;
  return length(p - a - d * clamp(dot(p - a, d) / dot(d, d), 0.0, 1.0));
}
void main() {
  vec2 p = gl_PointCoord * 2.0 - 1.0;
  float size = u_size * (v_chosen == 1 ? 1.5 : 1.0);
  float unit = 2.0 / size;
  float away;
  bool turns = u_arrow > 0.5 && v_state != 3 && v_state != 5;
  if (turns) {
    float c = cos(u_bearing);
    float s = sin(u_bearing);
    vec2 turn = vec2(v_turn.x * c + v_turn.y * s, v_turn.y * c - v_turn.x * s);
    p = vec2(p.x * turn.x + p.y * turn.y, p.y * turn.x - p.x * turn.y);
    // An arrow head: outside of three of its sides, and of the notch at its back.
    vec2 q = vec2(abs(p.x), p.y);
    vec2 tip = vec2(0.0, -0.78); vec2 wing = vec2(0.56, 0.62); vec2 notch = vec2(0.0, 0.34);
    float d = min(segment(q, tip, wing), segment(q, wing, notch));
    float left = (wing.x - tip.x) * (q.y - tip.y) - (wing.y - tip.y) * (q.x - tip.x);
    float low = (notch.x - wing.x) * (q.y - wing.y) - (notch.y - wing.y) * (q.x - wing.x);
    away = left > 0.0 && low > 0.0 ? -d : d;
    away -= 0.1;
  } else {
    away = length(p) - (u_arrow > 0.5 ? 0.5 : 0.72);
  }
  float edge = u_size > 9.0 ? max(1.6 * unit, 0.13) : unit * 0.7;
  float outer = 1.0 - smoothstep(edge - unit, edge + unit * 0.5, away);
  if (outer <= 0.0) discard;
  float inner = 1.0 - smoothstep(-unit * 0.5, unit * 0.5, away);
  vec3 rgb = mix(v_chosen == 1 ? vec3(0.09, 0.13, 0.17) : u_edge, u_colours[v_state], inner);
  float alpha = outer * (v_state == 8 ? 0.75 : 1.0);
  colour = vec4(rgb * alpha, alpha);
}`;

/** A custom layer of the map; `model` has the vehicles, `share()` how much of the step has passed. */
export class FleetLayer {
  constructor(model, share) {
    this.id = "fleet";
    this.type = "custom";
    this.renderingMode = "2d";
    this.model = model;
    this.share = share;
    this.chosen = -1;
    this.size = 8;
    this.isArrow = false;
    this.colours = new Float32Array(27);
    this.edge = [1, 1, 1];
    this.isStale = true;
    this.drawn = 0;
  }

  paint(colours, edge) {
    STATES.forEach((name, index) => this.colours.set(rgb(colours[name] ?? "#000000"), 3 * index));
    this.edge = rgb(edge);
  }

  onAdd(map, gl) {
    this.map = map;
    this.program = program(gl);
    this.places = Object.fromEntries(["u_matrix", "u_share", "u_size", "u_chosen", "u_hidden", "u_colours", "u_edge", "u_bearing", "u_arrow"]
      .map((name) => [name, gl.getUniformLocation(this.program, name)]));
    this.array = gl.createVertexArray();
    this.buffer = gl.createBuffer();
    gl.bindVertexArray(this.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    [["a_step", 4, 0], ["a_turn", 2, 16], ["a_state", 1, 24]].forEach(([name, size, offset]) => {
      const place = gl.getAttribLocation(this.program, name);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, gl.FLOAT, false, 28, offset);
    });
    gl.bindVertexArray(null);
    this.isStale = true;
  }

  /** The vehicles have changed: they are sent to the graphics card with the next picture. */
  changed() { this.isStale = true; }

  /** Places are relative to the middle of the map, since 32 bits are too few for the whole world. */
  upload(gl) {
    const { model } = this;
    const centre = this.map.getCenter();
    const origin = maplibregl.MercatorCoordinate.fromLngLat(centre);
    this.origin = [origin.x, origin.y];
    const data = new Float32Array(7 * model.count);
    for (let i = 0, at = 0; i < model.count; i += 1, at += 7) {
      data[at] = model.fromX[i] - origin.x;
      data[at + 1] = model.fromY[i] - origin.y;
      data[at + 2] = model.toX[i] - origin.x;
      data[at + 3] = model.toY[i] - origin.y;
      data[at + 4] = model.fromTurn[i];
      data[at + 5] = model.toTurn[i];
      data[at + 6] = model.frame.state[i];
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    this.isStale = false;
  }

  render(gl, { modelViewProjectionMatrix: matrix }) {
    const { model, places } = this;
    if (!model.count) return;
    if (this.isStale) this.upload(gl);
    const ratio = this.map.getPixelRatio();
    gl.useProgram(this.program);
    gl.bindVertexArray(this.array);
    gl.uniformMatrix4fv(places.u_matrix, false, relativeMatrix(matrix, this.origin, this.map.transform.worldSize));
    gl.uniform1f(places.u_share, this.share());
    gl.uniform1f(places.u_size, this.size * ratio);
    gl.uniform1i(places.u_chosen, this.chosen);
    gl.uniform1i(places.u_hidden, STATES.reduce((bits, name, index) => bits | (model.hidden.has(name) ? 1 << index : 0), 0));
    gl.uniform3fv(places.u_colours, this.colours);
    gl.uniform3fv(places.u_edge, this.edge);
    gl.uniform1f(places.u_bearing, this.map.getBearing() * Math.PI / 180);
    gl.uniform1f(places.u_arrow, this.isArrow ? 1 : 0);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.drawArrays(gl.POINTS, 0, model.count);
    gl.bindVertexArray(null);
    this.drawn += 1;
  }

  onRemove(map, gl) {
    gl.deleteProgram(this.program);
    gl.deleteBuffer(this.buffer);
    gl.deleteVertexArray(this.array);
  }
}

function rgb(colour) { return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255); }

function program(gl) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  return made;
}
