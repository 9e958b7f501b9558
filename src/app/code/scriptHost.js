/**
 * Runs a JavaScript program, in a worker of a frame that has no origin, no network and no page. The frame gets this
 * file as text, so the file imports nothing. The page trusts no message of this worker.
 */
"use strict";

globalThis.onmessage = ({ data: { program, limit }, ports: [port] }) => {
  globalThis.onmessage = null;
  const CHUNK = 1 << 16;
  const STORE = 0x80000000;
  const { isInteger } = Number;
  const Columns = Uint32Array;
  const post = port.postMessage.bind(port);

  let chunk = new Columns(3 * CHUNK);
  let n = 0;
  let before = 0;
  /** The line of the first access beyond the limit. */
  let tooMany;

  function flush() {
    const { buffer } = chunk;
    post({ chunk: buffer, n }, [buffer]);
    before += n;
    n = 0;
    chunk = new Columns(3 * CHUNK);
  }

  function record(address, size, code) {
    if (before + n >= limit) {
      tooMany ??= code & ~STORE;
      throw new Error("too many accesses");
    }
    const at = 3 * n;
    chunk[at] = address;
    chunk[at + 1] = (address / 4294967296) | (size << 16);
    chunk[at + 2] = code;
    if (++n === CHUNK) flush();
  }

  /** An array: a separate region with consecutive elements. */
  class LoopArray {
    constructor(name, start, length, size) {
      Object.assign(this, { name, start, length, size });
      Object.freeze(this);
    }

    /** Returns the address of an element, or of the byte at `offset` in the element. */
    at(index, offset = 0) {
      if (!(index >= 0 && index < this.length) || !isInteger(index))
        throw outside(this, index);
      if (!(offset >= 0 && offset < this.size) || !isInteger(offset))
        throw new RangeError(
          `${this.name} has elements of ${this.size} bytes: there is no byte ${shown(offset)} in them`,
        );
      return this.start + index * this.size + offset;
    }
  }

  function shown(value) {
    if (typeof value === "string") return `“${value}”`;
    try {
      return String(value);
    } catch {
      return "an object that has no text";
    }
  }

  function outside({ name, length }, index) {
    return new RangeError(
      `${name}[${shown(index)}] does not exist: ${name} has ${length} elements, 0 to ${length - 1}`,
    );
  }

  /** Returns the function that a call of `load` or `store` on a line becomes. */
  function accessOf(word, line) {
    const code = (line | (word === "store" ? STORE : 0)) >>> 0;
    return (target, index, offset = 0) => {
      if (target instanceof LoopArray) {
        if (index === undefined)
          throw new TypeError(
            `which element? Write ${word}(${target.name}, i)`,
          );
        const left = target.size - offset;
        record(target.at(index, offset), left < 8 ? left : 8, code);
        return;
      }
      const address = typeof target === "bigint" ? Number(target) : target;
      if (!isInteger(address) || address < 0 || address >= 2 ** 47)
        throw new TypeError(
          `${word} takes an array and an index, or an address from 0 to below 2^47, not ${shown(target)}`,
        );
      const size = index ?? 8;
      if (!isInteger(size) || size < 1 || size > 64)
        throw new RangeError(`an access has 1 to 64 bytes, not ${shown(size)}`);
      record(address, size, code);
    };
  }

  const arrays = [];
  const described = ({ name, start, length, size }) => ({
    name,
    start,
    length,
    size,
  });
  const PAGE = 4096;
  // The distance between two arrays in bytes. Arrays begin on pages, and not all in the same set of a TLB.
  const GAP = 529 * PAGE;
  let free = 0x10000000;

  function arrayOf(site) {
    return (
      length,
      size = 8,
      name = site.name ?? `array ${arrays.length + 1}`,
    ) => {
      if (!isInteger(length) || length < 1)
        throw new RangeError(
          `an array has 1 or more elements, not ${shown(length)}`,
        );
      if (!isInteger(size) || size < 1 || size > 1048576)
        throw new RangeError(
          `an element has 1 to 1,048,576 bytes, not ${shown(size)}`,
        );
      const bytes = length * size;
      if (
        bytes > 2 ** 40 ||
        free + bytes + GAP > 2 ** 46 ||
        arrays.length >= 1000
      )
        throw new RangeError(
          `there is no room for ${length} elements of ${size} bytes: an array has at most 1 TB, a program at most 1,000 arrays`,
        );
      const made = new LoopArray(String(name).slice(0, 80), free, length, size);
      arrays.push(made);
      post({ array: described(made) });
      free += Math.ceil(bytes / PAGE) * PAGE + GAP;
      return made;
    };
  }

  let seed = 1;
  /** Returns a random number from 0 to below 1. Every run has the same numbers (mulberry32). */
  function next() {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  function random(below) {
    if (!isInteger(below) || below < 1)
      throw new RangeError(
        `random(n) gives a number from 0 to below n, where n is 1 or more, not ${shown(below)}`,
      );
    return Math.floor(next() * below);
  }

  const log = [];
  const console = Object.freeze({
    log: (...words) => {
      if (log.length < 100) log.push(words.map(shown).join(" ").slice(0, 500));
    },
  });

  lock();
  Math.random = next;

  const { code, sites } = program;
  const words = {
    load: accessOf("load", 0),
    store: accessOf("store", 0),
    array: arrayOf({}),
    random,
    console,
  };
  for (const site of sites)
    words[site.id] =
      site.kind === "array" ? arrayOf(site) : accessOf(site.kind, site.line);
  const names = Object.keys(words);
  const SOURCE = "//# sourceURL=program.js";

  /** Returns the first line of `program.js` that a stack names, as the browser counts lines. */
  function rawLine(error) {
    const found = /program\.js:(\d+)/.exec(String(error?.stack));
    return found ? Number(found[1]) : undefined;
  }

  /** Returns the number of lines that the browser puts before the text of a function. */
  function linesBefore() {
    try {
      new Function(...names, `"use strict";throw new Error()\n${SOURCE}`)();
    } catch (error) {
      return (rawLine(error) ?? NaN) - 1;
    }
    return NaN;
  }

  function fail(error, more = {}) {
    const failed = {
      message: "The program failed, and its error cannot be read",
    };
    try {
      const isError = error instanceof Error;
      const line = (rawLine(error) ?? NaN) - linesBefore();
      failed.name = isError ? String(error.name) : "";
      failed.message = isError
        ? String(error.message)
        : `it threw ${shown(error)}`;
      if (line > 0) failed.line = line;
    } catch {
      // The thrown value throws an error when its message is read.
    }
    post({ failed: { ...failed, ...more } });
  }

  let run;
  try {
    run = new Function(...names, `"use strict";${code}\n${SOURCE}`);
  } catch (error) {
    fail(error, { isSyntax: true });
    return;
  }
  try {
    run(...Object.values(words));
  } catch (error) {
    if (tooMany === undefined) {
      fail(error);
      return;
    }
  }
  if (tooMany !== undefined) {
    post({ tooMany: true, line: tooMany });
    return;
  }
  flush();
  post({
    done: {
      arrays: arrays.map(described),
      log,
    },
  });

  /** Removes the names of the platform and keeps those of the language. A removed name throws an error. */
  function lock() {
    const language = new Set(
      "Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol RegExp Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError JSON Math ArrayBuffer Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float16Array Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt Set Iterator WeakMap WeakSet Proxy Reflect Promise globalThis isNaN isFinite escape unescape decodeURI decodeURIComponent encodeURI encodeURIComponent eval constructor".split(
        " ",
      ),
    );
    const platform = new Set(
      "document window SharedWorker caches localStorage sessionStorage parent top frames alert prompt require process".split(
        " ",
      ),
    );
    for (
      let at = globalThis;
      at && at !== Object.prototype;
      at = Object.getPrototypeOf(at)
    )
      for (const name of Reflect.ownKeys(at)) {
        if (language.has(name)) continue;
        if (typeof name === "string") platform.add(name);
        if (at !== globalThis) Reflect.deleteProperty(at, name);
      }
    for (const name of platform) {
      const throwMissing = () => {
        throw new Error(
          `\`${name}\` does not exist in a program: it has no network, no page and no clock, so that the same code always gives the same trace`,
        );
      };
      Reflect.defineProperty(globalThis, name, {
        get: throwMissing,
        set: throwMissing,
        configurable: false,
      });
    }
  }
};
