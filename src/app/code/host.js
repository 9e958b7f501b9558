/**
 * Runs an instrumented WebAssembly program, in a worker of a frame that has no origin, no network and no page. The frame
 * gets this file as text, so the file imports nothing. The page trusts no message of this worker.
 *
 * The program sees WASI preview 1: its arguments, the standard output and error, and an empty file system. Its clock counts
 * the milliseconds since the start.
 */
"use strict";

globalThis.onmessage = async ({ data: { program, limits }, ports: [port] }) => {
  globalThis.onmessage = null;
  const { bytes, args } = program;
  const post = port.postMessage.bind(port);
  const PAGE = 65536;
  /** The bytes of the first chunk and of the largest one: the page begins early, and later has few messages. */
  const CHUNKS = [1 << 18, 1 << 22];
  const MOST_OUTPUT = 1 << 16;
  /** A module that exports the function it imports: a table takes only functions of WebAssembly. */
  const PASS = [
    0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 97, 1, 98, 0, 0,
    7, 5, 1, 1, 99, 0, 0,
  ];
  /** What is waited for before the records of a slow program are sent, in milliseconds. */
  const PATIENCE = 200;
  /** A module with a function that traps. */
  const TRAP = [
    0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 97,
    0, 0, 10, 5, 1, 3, 0, 0, 11,
  ];
  const EXIT = Symbol("exit");
  const TOO_MANY = Symbol("too many");
  const TOO_LATE = Symbol("too late");

  let memory;
  let end;
  let chunk = new Uint8Array(CHUNKS[0]);
  let used = 0;
  let words = 0;
  let printed = 0;
  let status = 0;
  const start = performance.now();
  let sent = start;

  function send(now = performance.now()) {
    sent = now;
    if (used === 0) return;
    if (used < chunk.length / 2)
      post({ chunk: chunk.slice(0, used).buffer, n: used });
    else {
      const { buffer } = chunk;
      const { length } = chunk;
      post({ chunk: buffer, n: used }, [buffer]);
      chunk = new Uint8Array(Math.min(2 * length, CHUNKS[1]));
    }
    used = 0;
  }

  let ending;

  /** Ends the program by a trap: an exception could be caught by its `catch (...)`, and would run its destructors. */
  function endWith(reason) {
    ending = reason;
    const module = new WebAssembly.Module(new Uint8Array(TRAP));
    new WebAssembly.Instance(module).exports.a();
  }

  /** Takes the records from the buffer, which is the last page of the memory. */
  function full() {
    const all = memory.buffer;
    const buffer = all.byteLength - PAGE;
    const n = end.value - buffer;
    if (used + n > chunk.length) send();
    chunk.set(new Uint8Array(all, buffer, n), used);
    used += n;
    words += n / 4;
    end.value = buffer;
    const now = performance.now();
    if (words > limits.words) endWith(TOO_MANY);
    if (now > deadline) endWith(TOO_LATE);
    if (now > sent + PATIENCE) send(now);
  }

  const deadline = start + limits.seconds * 1000;
  const view = () => new DataView(memory.buffer);
  const text = new TextDecoder();
  const encoded = args.map((arg) => new TextEncoder().encode(`${arg}\0`));
  const SUCCESS = 0;
  const BADF = 8;
  const NOSYS = 52;
  const isOutput = (fd) => fd === 1 || fd === 2;

  const wasi = {
    args_sizes_get(count, size) {
      view().setUint32(count, encoded.length, true);
      const bytesOf = encoded.reduce((sum, { length }) => sum + length, 0);
      view().setUint32(size, bytesOf, true);
      return SUCCESS;
    },
    args_get(list, at) {
      for (const [n, arg] of encoded.entries()) {
        view().setUint32(list + 4 * n, at, true);
        new Uint8Array(memory.buffer).set(arg, at);
        at += arg.length;
      }
      return SUCCESS;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return SUCCESS;
    },
    environ_get: () => SUCCESS,
    clock_res_get(_id, at) {
      view().setBigUint64(at, 1000n, true);
      return SUCCESS;
    },
    clock_time_get(_id, _precision, at) {
      const now = BigInt(Math.round((performance.now() - start) * 1e6));
      view().setBigUint64(at, now, true);
      return SUCCESS;
    },
    fd_write(fd, list, n, written) {
      if (!isOutput(fd)) return BADF;
      let sum = 0;
      let said = "";
      for (let at = list; at < list + 8 * n; at += 8) {
        const size = view().getUint32(at + 4, true);
        const from = view().getUint32(at, true);
        const room = MOST_OUTPUT - printed;
        if (room > 0)
          said += text.decode(
            // A copy: text in shared memory is not decoded.
            new Uint8Array(memory.buffer, from, Math.min(size, room)).slice(),
          );
        printed += size;
        sum += size;
      }
      if (said !== "") {
        // What comes before the text is kept even if the program has to be ended.
        full();
        send();
        post({ output: said });
      }
      view().setUint32(written, sum, true);
      return SUCCESS;
    },
    fd_fdstat_get(fd, at) {
      if (fd > 2) return BADF;
      new Uint8Array(memory.buffer).fill(0, at, at + 24);
      // A character device, which may be written.
      view().setUint8(at, 2);
      view().setBigUint64(at + 8, isOutput(fd) ? 64n : 2n, true);
      return SUCCESS;
    },
    fd_read(fd, _list, _n, read) {
      if (fd !== 0) return BADF;
      view().setUint32(read, 0, true);
      return SUCCESS;
    },
    /** The same numbers in every run (mulberry32). */
    random_get(at, n) {
      const out = new Uint8Array(memory.buffer, at, n);
      for (let i = 0; i < n; i++) out[i] = next();
      return SUCCESS;
    },
    sched_yield: () => SUCCESS,
    proc_exit(code) {
      status = code;
      endWith(EXIT);
    },
  };

  let seed = 1;
  function next() {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return t >>> 24;
  }

  const system = new Proxy(wasi, {
    // Everything else is about files, and there are none.
    get: (known, name) =>
      known[name] ??
      (String(name).startsWith("fd_") ? () => BADF : () => NOSYS),
  });

  /** Runs the program; throws what ends it early. */
  async function run() {
    const module = await WebAssembly.compile(bytes);
    const foreign = WebAssembly.Module.imports(module).find(
      (each) => each.module !== "wasi_snapshot_preview1",
    );
    if (foreign)
      throw new Error(
        `the program imports ${foreign.module}.${foreign.name}, and only WASI preview 1 is there`,
      );
    const { exports } = await WebAssembly.instantiate(module, {
      wasi_snapshot_preview1: system,
    });
    memory = exports["pagewalk:memory"];
    end = exports["pagewalk:end"];
    const pass = new WebAssembly.Module(new Uint8Array(PASS));
    const { c } = new WebAssembly.Instance(pass, { a: { b: full } }).exports;
    exports["pagewalk:full"].set(0, c);
    exports["pagewalk:start"]?.();
    const main = exports["_start"] ?? exports["_initialize"];
    if (!main)
      throw new Error("the program has no main function: there is no _start");
    main();
  }

  /** The record that a trap has left unfinished. It has at most 4 KiB. */
  function unfinished() {
    const from = end.value;
    const { buffer } = memory;
    return buffer.slice(from, Math.min(from + 4096, buffer.byteLength));
  }

  let problem;
  let last = new ArrayBuffer(0);
  try {
    await run();
  } catch (error) {
    const reason = ending ?? error;
    if (reason !== EXIT) problem = reason;
    if (memory && problem !== undefined) last = unfinished();
  }
  const isStopped = () => problem === TOO_MANY || problem === TOO_LATE;
  try {
    if (memory && !isStopped()) full();
  } catch (error) {
    problem ??= ending ?? error;
  }
  send();
  if (isStopped()) {
    post({ stopped: problem === TOO_MANY ? "accesses" : "time" });
    return;
  }
  if (problem === undefined) {
    post({ done: { status } });
    return;
  }
  // A trap names the instruction of each function that runs: `wasm-function[12]:0x1a2b`.
  const frames = String(problem.stack).matchAll(
    /wasm-function\[\d+\]:0x([0-9a-f]+)/g,
  );
  const at = Array.from(frames, ([, place]) => Number.parseInt(place, 16));
  const size = memory ? memory.buffer.byteLength - PAGE : 0;
  post({
    failed: { message: String(problem.message ?? problem), at, last, size },
  });
};
