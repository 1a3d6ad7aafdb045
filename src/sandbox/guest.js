// Runs inside the sandbox, once, before the memory is kept that every script starts from. What is still needed after an
// author's code began to run is taken aside here: scripts may change every built-in object, and harm only themselves.
(function (host, installLocale) {
  "use strict";
  const NativeDate = Date;
  const NativeError = Error;
  const NativePromise = Promise;
  const AsyncFunction = (async () => {}).constructor;
  const SyncFunction = Function;
  const { parse, stringify: quote } = JSON;
  const { isArray } = Array;
  const { isFinite } = Number;
  const { keys, defineProperty, getPrototypeOf, hasOwn } = Object;
  const { apply, construct } = Reflect;
  const { getTime, toString: dateText, toTimeString: timeText } = Date.prototype;
  const { resolve, reject } = Promise;
  const hasInstance = Function.prototype[Symbol.hasInstance];
  const boxes = [Number.prototype, String.prototype, Boolean.prototype, BigInt.prototype, Symbol.prototype];
  const unbox = boxes.map((box) => box.valueOf);
  const plainPrototypes = [Object.prototype, Array.prototype, null];

  let now = 0;
  let code;
  let isAsync = false;
  let failure;
  let settled;
  let assignments = "";

  /** Reads `[form, source]` and compiles it: nothing of the author's runs yet. */
  function compile(text) {
    const request = parse(text);
    isAsync = request[0] === "async";
    try {
      code = isAsync ? new AsyncFunction(request[1]) : new SyncFunction(request[1]);
    } catch (error) {
      failure = failed(error);
    }
    return "";
  }

  /** Runs what was compiled. Answers with the outcome, or with an empty text where jobs are to be run first. */
  function start(text) {
    if (failure !== undefined) return failure;
    begin(parse(text));
    try {
      const value = apply(code, undefined, []);
      if (!isAsync) return returned(value);
      settle(value);
      return "";
    } catch (error) {
      return failed(error);
    }
  }

  /** The outcome, once nothing is left to run: a promise that is still open then never settles. */
  function finish() {
    if (settled === undefined) return '["failed","[undefined] Script execution timed out."]';
    if (settled.isError) return failed(settled.value);
    try {
      return returned(settled.value);
    } catch (error) {
      return failed(error);
    }
  }

  async function settle(promise) {
    try {
      settled = { isError: false, value: await promise };
    } catch (error) {
      settled = { isError: true, value: error };
    }
  }

  function begin({ time, seed, offersHostFunctions, globals }) {
    now = time;
    randomSeed = seed;
    if (offersHostFunctions) {
      define("setVariable", setVariable);
      define("fetch", fetch);
    }
    for (const [name, tag, payload] of globals) {
      try {
        if (tag === "lazy") defineLazily(name, payload);
        else define(name, decode(tag, payload));
      } catch {
        // `undefined`, `NaN` and `Infinity` cannot be redefined: such a variable is not seen.
      }
    }
  }

  function define(name, value) {
    defineProperty(globalThis, name, { value, writable: true, enumerable: true, configurable: true });
  }

  /** A long text that the code does not mention: fetched only if the code finds its name in another way. */
  function defineLazily(name, index) {
    const get = () => {
      const value = parse(host("global", `${index}`));
      define(name, value);
      return value;
    };
    defineProperty(globalThis, name, { get, set: (value) => define(name, value), enumerable: true, configurable: true });
  }

  function decode(tag, payload) {
    if (tag === "json") return payload;
    if (tag === "number") return +payload;
    if (tag === "bigint") return BigInt(payload);
    return tag === "date" ? new NativeDate(+payload) : undefined;
  }

  function setVariable(name, value) {
    const encoded = encode(value);
    if (typeof name === "string") assignments += `,${quote(name)},${encoded}`;
    return apply(resolve, NativePromise, []);
  }

  function fetch(url, init) {
    const answer = parse(host("fetch", `{"url":${quote(`${url}`)},"init":${fetchInit(init)}}`));
    if (hasOwn(answer, "body")) return apply(resolve, NativePromise, [answer.body]);
    return apply(reject, NativePromise, [new NativeError(answer.error)]);
  }

  function fetchInit(init) {
    if (init === null || typeof init !== "object") return "{}";
    const { method, headers, body } = init;
    let text = "";
    if (method !== undefined && method !== null) text += `,"method":${quote(`${method}`)}`;
    if (body !== undefined && body !== null) text += `,"body":${quote(`${body}`)}`;
    if (headers !== null && typeof headers === "object") text += `,"headers":{${headerFields(headers)}}`;
    return `{${text === "" ? "" : cut(text)}}`;
  }

  function headerFields(headers) {
    let text = "";
    const add = (name, value) => {
      text += `,${quote(`${name}`)}:${quote(`${value}`)}`;
    };
    if (isArray(headers)) for (let index = 0; index < headers.length; index++) add(headers[index][0], headers[index][1]);
    else for (const name in headers) add(name, headers[name]);
    return text === "" ? "" : cut(text);
  }

  const { slice } = String.prototype;
  function cut(text) {
    return apply(slice, text, [1]);
  }

  function returned(value) {
    return `["returned",${encode(value)}${assignments}]`;
  }

  /** A value as a tag and a text, both quoted. The copy is structural: functions and symbols cannot be copied. */
  function encode(value) {
    switch (typeof value) {
      case "string":
        return `"text",${quote(value)}`;
      case "number":
        return `"number","${value === 0 && 1 / value < 0 ? "-0" : value}"`;
      case "bigint":
        return `"bigint","${value}"`;
      case "undefined":
        return '"undefined",""';
      default:
        if (isArray(value)) return `"list",${quote(`[${elements(value)}]`)}`;
        return isDate(value) ? `"date","${apply(getTime, value, [])}"` : `"json",${quote(json(value, 0))}`;
    }
  }

  function elements(list) {
    let text = "";
    const { length } = list;
    for (let index = 0; index < length; index++) text += index === 0 ? encode(list[index]) : `,${encode(list[index])}`;
    return text;
  }

  // Only values inside lists and objects come here, where JSON is all that anybody asks for; a list in a list is one.
  const maxNesting = 200;

  function json(value, depth) {
    switch (typeof value) {
      case "string":
        return quote(value);
      case "number":
        return isFinite(value) ? `${value}` : "null";
      case "boolean":
        return value ? "true" : "false";
      case "bigint":
        return "null";
      case "object":
        if (value === null) return "null";
        break;
      default:
        throw uncopyable(value);
    }
    if (depth > maxNesting) throw new NativeError("The value is nested too deeply or contains itself.");
    if (isArray(value)) return jsonList(value, depth);
    const prototype = getPrototypeOf(value);
    if (prototype !== plainPrototypes[0] && prototype !== null) {
      const special = jsonSpecial(value, prototype);
      if (special !== undefined) return special;
    }
    if (value === globalThis) throw uncopyable(value);
    return jsonObject(value, depth);
  }

  function jsonList(list, depth) {
    let text = "";
    const { length } = list;
    for (let index = 0; index < length; index++) {
      const element = list[index];
      const encoded = element === undefined ? "null" : json(element, depth + 1);
      text += index === 0 ? encoded : `,${encoded}`;
    }
    return `[${text}]`;
  }

  function jsonObject(object, depth) {
    let text = "";
    const names = keys(object);
    for (let index = 0; index < names.length; index++) {
      const value = object[names[index]];
      if (value !== undefined) text += `,${quote(names[index])}:${json(value, depth + 1)}`;
    }
    return text === "" ? "{}" : `{${cut(text)}}`;
  }

  function jsonSpecial(value, prototype) {
    if (isDate(value)) {
      const time = apply(getTime, value, []);
      return isFinite(time) ? quote(apply(toIsoText, value, [])) : "null";
    }
    for (let index = 0; index < boxes.length; index++) {
      if (prototype === boxes[index]) return json(apply(unbox[index], value, []), 0);
    }
    if (apply(hasInstance, NativePromise, [value])) throw uncopyable(value);
    return undefined;
  }

  const toIsoText = NativeDate.prototype.toISOString;

  function isDate(value) {
    if (value === null || typeof value !== "object") return false;
    const prototype = getPrototypeOf(value);
    if (prototype === plainPrototypes[0] || prototype === null) return false;
    try {
      apply(getTime, value, []);
      return true;
    } catch {
      return false;
    }
  }

  function uncopyable(value) {
    const name = typeof value === "object" ? "#<Object>" : apply(describeValue, undefined, [value]);
    return new NativeError(`${name} could not be cloned.`);
  }

  const describeValue = String;
  const number = Number;

  function failed(error) {
    try {
      return `["failed",${describe(error)}]`;
    } catch {
      return '["failed","[undefined] The error could not be read."]';
    }
  }

  function describe(error) {
    // The engine throws null when there is no memory left for an error.
    if (error === null) return '"[undefined] out of memory"';
    if (typeof error !== "object" && typeof error !== "function") return quote(describeValue(error));
    if (!apply(hasInstance, NativeError, [error])) return '"An object that is not an Error was thrown."';
    const { cause } = error;
    const causeMessage = cause === null || typeof cause !== "object" ? undefined : cause.message;
    const description = quote(`[${causeMessage}] ${error.message}`);
    if (cause === undefined || cause === null) return description;
    const isError = typeof cause === "object" && apply(hasInstance, NativeError, [cause]);
    return `${description},${quote(typeof cause === "string" ? cause : isError ? `${causeMessage}` : json(cause, 0))}`;
  }

  let randomSeed;
  let a = 0;
  let b = 0;
  let c = 0;
  let counter = 0;

  /** sfc32: small, fast, and good enough for what scripts draw. */
  function drawBits() {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  function random() {
    if (randomSeed !== undefined) {
      const word = (at) => number(`0x${apply(slice, randomSeed, [at, at + 8])}`) | 0;
      a = word(0);
      b = word(8);
      c = word(16);
      counter = word(24);
      randomSeed = undefined;
      for (let draw = 0; draw < 12; draw++) drawBits();
    }
    return ((drawBits() >>> 5) * 67108864 + (drawBits() >>> 6)) / 9007199254740992;
  }

  function hide(object, name, value) {
    defineProperty(object, name, { value, writable: true, enumerable: false, configurable: true });
  }

  function installClock() {
    const zone = " (Coordinated Universal Time)";
    function Clock(...parts) {
      if (new.target === undefined) return `${apply(dateText, new NativeDate(now), [])}${zone}`;
      return construct(NativeDate, parts.length === 0 ? [now] : parts, new.target);
    }
    defineProperty(Clock, "name", { value: "Date" });
    defineProperty(Clock, "length", { value: 7 });
    defineProperty(Clock, "prototype", { value: NativeDate.prototype, writable: false });
    hide(Clock, "now", () => now);
    hide(Clock, "parse", NativeDate.parse);
    hide(Clock, "UTC", NativeDate.UTC);
    hide(NativeDate.prototype, "constructor", Clock);
    for (const [name, native] of [
      ["toString", dateText],
      ["toTimeString", timeText],
    ]) {
      const method = {
        [name]() {
          const text = apply(native, this, []);
          return text === "Invalid Date" ? text : `${text}${zone}`;
        },
      };
      hide(NativeDate.prototype, name, method[name]);
    }
    hide(globalThis, "Date", Clock);
  }

  function installGlobals() {
    for (const name of ["performance", "queueMicrotask", "DOMException"]) delete globalThis[name];
    hide(Math, "random", random);
    hide(globalThis, "global", globalThis);
    const console = {};
    for (const name of "log info warn error debug trace dir table group groupEnd time timeEnd count assert".split(" ")) {
      console[name] = () => undefined;
    }
    hide(globalThis, "console", console);
  }

  installClock();
  installGlobals();
  installLocale({ host, encode, hide, now: () => now });
  return [compile, start, finish];
});
