// SPDX-License-Identifier: GPL-3.0-or-later
// Runs one of Mindcraft's action files under Node and prints what it places and removes.
//
// Standard input is one JSON object {sign, most, program, skills}; skills are the names of those
// that place nothing. Every line printed begins with the sign:
// lists of ["place", x, y, z, material] and ["remove", x, y, z, null], at last {"end": WORD, ...}.
//
// This is not the wall: a context of node:vm can be left. Whoever starts this puts it into a box
// and reads the lines as a stranger's. All the program can gain by leaving is to print such lines.
"use strict";

const { readFileSync, writeSync } = require("node:fs");
const vm = require("node:vm");

const { sign, most, program, skills } = JSON.parse(readFileSync(0, "utf8"));
const stringify = JSON.stringify;
const parts = [];
let length = 0;
let count = 0;

function print(text) {
  const bytes = Buffer.from(`${sign} ${text}\n`, "utf8");
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

function flush() {
  if (parts.length) print(`[${parts.join(",")}]`);
  parts.length = length = 0;
}

function end(word, message, line) {
  flush();
  print(stringify({ end: word, message, line }));
  process.exit(0);
}

function record(kind, x, y, z, material) {
  count += 1;
  if (count > most) end("many");
  const text = stringify([kind, x, y, z, material]);
  parts.push(text);
  length += text.length;
  if (length > 65536) flush();
}

// What stands round the program: made inside its own context, so that nothing of ours is in reach.
// `record` is called with plain values only; `harmless` is a text, names between spaces.
const WORLD = String.raw`
(function (record, harmless) {
  "use strict";
  const plain = (value) =>
    typeof value === "number" ? value
      : typeof value === "string" ? value.slice(0, 64)
      : typeof value === "bigint" ? Number(value)
      : null;
  const named = (value) =>
    typeof value === "string" ? value.slice(0, 200)
      : value === undefined || value === null ? null
      : false;

  function Vec3(x, y, z) {
    if (!(this instanceof Vec3)) return new Vec3(x, y, z);
    this.x = x || 0; this.y = y || 0; this.z = z || 0;
  }
  Object.assign(Vec3.prototype, {
    clone() { return new Vec3(this.x, this.y, this.z); },
    floored() { return new Vec3(Math.floor(this.x), Math.floor(this.y), Math.floor(this.z)); },
    rounded() { return new Vec3(Math.round(this.x), Math.round(this.y), Math.round(this.z)); },
    offset(x, y, z) { return new Vec3(this.x + x, this.y + y, this.z + z); },
    plus(o) { return this.offset(o.x, o.y, o.z); },
    minus(o) { return this.offset(-o.x, -o.y, -o.z); },
    scaled(k) { return new Vec3(this.x * k, this.y * k, this.z * k); },
    equals(o) { return this.x === o.x && this.y === o.y && this.z === o.z; },
    distanceTo(o) { return Math.hypot(this.x - o.x, this.y - o.y, this.z - o.z); },
    toString() { return "(" + this.x + ", " + this.y + ", " + this.z + ")"; },
  });

  // What nobody made up answers like this: a function that does nothing.
  const nothing = async () => undefined;
  const answering = (known, other) => new Proxy(known, {
    get: (target, name) =>
      name in target ? target[name] : typeof name === "symbol" || name === "then" ? undefined : other,
  });
  const air = (position) => ({ name: "air", type: 0, boundingBox: "empty", position });
  // A skill that there isn't stops the program, as in Mindcraft.
  const skills = {
    ...Object.fromEntries(harmless.split(" ").map((name) => [name, async () => true])),
    async placeBlock(bot, material, x, y, z) {
      record("place", plain(x), plain(y), plain(z), named(material));
      return true;
    },
    async breakBlockAt(bot, x, y, z) {
      record("remove", plain(x), plain(y), plain(z), null);
      return true;
    },
  };
  const world = answering({
    getPosition: () => new Vec3(0, 0, 0),
    getInventoryCounts: () => ({}),
    getNearbyEntities: () => [],
    getNearbyPlayers: () => [],
  }, () => "air");
  const bot = answering({
    entity: { position: new Vec3(0, 0, 0), yaw: 0, pitch: 0, velocity: new Vec3(0, 0, 0) },
    username: "builder", health: 20, food: 20, interrupt_code: false, output: "",
    game: { gameMode: "creative", dimension: "overworld", difficulty: "peaceful" },
    modes: answering({}, () => undefined),
    inventory: answering({ items: () => [] }, () => undefined),
    blockAt: (position) => air(position),
    findBlock: () => null,
    findBlocks: () => [],
    chat: () => undefined,
  }, nothing);

  // Waiting takes no time: what waits is done in the order of its time.
  const timers = [];
  let now = 0, number = 0;
  const later = (call, delay, values, every) => {
    number += 1;
    const time = now + Math.max(every === undefined ? 0 : 1, Number(delay) || 0);
    timers.push({ number, time, call, values, every });
    return number;
  };
  const forget = (which) => {
    const place = timers.findIndex((timer) => timer.number === which);
    if (place >= 0) timers.splice(place, 1);
  };
  function tick() {
    if (!timers.length) return false;
    let first = 0;
    for (let i = 1; i < timers.length; i += 1) {
      if (timers[i].time < timers[first].time) first = i;
    }
    const [timer] = timers.splice(first, 1);
    now = timer.time;
    if (timer.every !== undefined) {
      timers.push({ ...timer, time: now + Math.max(1, timer.every) });
    }
    if (typeof timer.call === "function") timer.call(...timer.values);
    return true;
  }

  // The same file gives the same blocks whenever it is read.
  let seed = 1;
  Math.random = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  Date.now = () => now;

  const silent = answering({}, () => undefined);
  const given = {
    bot, skills, world, Vec3,
    console: silent,
    log: () => undefined,
    sleep: nothing,
    setTimeout: (call, delay, ...values) => later(call, delay, values),
    setInterval: (call, delay, ...values) => later(call, delay, values, Number(delay) || 0),
    setImmediate: (call, ...values) => later(call, 0, values),
    clearTimeout: forget, clearInterval: forget, clearImmediate: forget,
    require: (name) => {
      if (name === "vec3") return Object.assign(Vec3, { Vec3 });
      throw new Error("nothing but vec3 can be required");
    },
  };
  for (const name of Object.keys(given)) {
    Object.defineProperty(globalThis, name, { value: given[name], writable: true, configurable: true });
  }

  // What was thrown may be anything: of it only texts are taken.
  const told = (error) => {
    let message = "something that is no error", stack = "";
    try { message = String(error && error.message !== undefined ? error.name + ": " + error.message : error); } catch {}
    try { stack = String(error.stack); } catch {}
    return [message, stack];
  };
  async function run(main, done) {
    try {
      let value = main();
      if (typeof value === "function") value = value(bot, skills, world, Vec3);
      else if (value === undefined && typeof globalThis.main === "function") value = globalThis.main(bot);
      await value;
      done("done", "", "");
    } catch (error) {
      done("raised", ...told(error));
    }
  }
  return { run, tick };
})
`;

// The text that stands before a program: as published a leading `export default` is left out; so
// are other exports and imports, of things that are here anyway.
function stripped(text) {
  return text
    .replace(/^[ \t]*import\s[^;\n]*?from\s*(['"])[^'"\n]*\1[ \t]*;?/gm, "")
    .replace(/^\uFEFF?((?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*)export\s+default\s+/, "$1")
    .replace(/^([ \t]*)export\s+(?=(?:async\s+)?function\b|const\b|let\b|var\b|class\b)/gm, "$1");
}

// A program is a function, a list of statements with such a function, or one with `await` in it.
function compiled(text) {
  const bare = text.trimEnd().replace(/;+$/, "");
  const filename = "action.js";
  const ways = [
    [`(${bare}\n)`, 1],
    [text, 0],
    [`(async () => {${text}\n})`, 14],
  ];
  let fault;
  for (const [source, columnOffset] of ways) {
    try {
      return new vm.Script(source, { filename, columnOffset: -columnOffset });
    } catch (error) {
      fault = error;
    }
  }
  const line = /^action\.js:(\d+)/.exec(String(fault.stack));
  return end("unreadable", String(fault).slice(0, 300), line ? Number(line[1]) : undefined);
}

const context = vm.createContext(Object.create(null));
const { run, tick } = vm.runInContext(WORLD, context, { filename: "world.js" })(record, skills.join(" "));
const script = compiled(stripped(program));
let over = false;

run(
  () => script.runInContext(context),
  (word, message, stack) => {
    if (over) return;
    over = true;
    const line = typeof stack === "string" ? /action\.js:(\d+)/.exec(stack) : null;
    const words = typeof message === "string" ? message.slice(0, 300) : "";
    // What was begun and not waited for goes on to its end.
    setImmediate(() => end(word, words, line ? Number(line[1]) : undefined));
  },
);

// After each turn of the loop all that can go on has gone on; then the next timer is due.
(function turn() {
  setImmediate(() => {
    if (over) return;
    if (tick() !== true) {
      setImmediate(() => over || end("stuck"));
      return;
    }
    turn();
  });
})();
process.on("unhandledRejection", () => {});
process.on("uncaughtException", (error) => end("raised", String(error && error.message).slice(0, 300)));
