// Runs inside the sandbox, strict, before any script: the clock, the chance and the console that scripts see.
() => {
  const NativeDate = Date;
  const NativeError = Error;
  const number = Number;
  const { defineProperty } = Object;
  const { apply, construct } = Reflect;
  const { toString: dateText, toTimeString: timeText } = Date.prototype;
  const { slice } = String.prototype;

  let now = 0;
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
    // The engine's own setter would pass each frame's function to a script, including those that run the script. As a plain value it does nothing.
    hide(NativeError, "prepareStackTrace", undefined);
    const console = {};
    const methods = "log info warn error debug trace dir table group groupEnd time timeEnd count assert";
    for (const name of methods.split(" ")) console[name] = () => undefined;
    hide(globalThis, "console", console);
  }

  installClock();
  installGlobals();
  return {
    hide,
    now: () => now,
    begin(time, seed) {
      now = time;
      randomSeed = seed;
    },
  };
};
