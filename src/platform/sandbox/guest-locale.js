// Runs inside the sandbox, strict, before any script: the built-in objects for languages and regions, which the engine does not
// have. Each asks the host, whose answers depend on the question alone.
(host, copy, world) => {
  const { encode } = copy;
  const { hide, now } = world;
  const { parse, stringify: quote } = JSON;
  const { isArray } = Array;
  const { create, defineProperty } = Object;
  const { apply } = Reflect;
  const { getTime } = Date.prototype;
  const { get: recall, set: remember } = WeakMap.prototype;
  const { toUpperCase, toLowerCase } = String.prototype;
  const numberValue = Number.prototype.valueOf;
  const bigintValue = BigInt.prototype.valueOf;
  const number = Number;
  const errors = { __proto__: null, RangeError, TypeError };
  const settingsOf = new WeakMap();

  function ask(service, locales, options, method, values) {
    const answer = parse(host("locale", `[${quote(service)},${locales},${options},${quote(method)},[${values}]]`));
    if (answer.error !== undefined) throw new (errors[answer.error] ?? TypeError)(answer.message);
    return answer.value;
  }

  function localesText(locales) {
    if (locales === undefined) return "[]";
    if (typeof locales === "string") return `[${quote(locales)}]`;
    if (!isArray(locales)) throw new TypeError("Incorrect locale information provided");
    let text = "";
    for (let index = 0; index < locales.length; index++)
      text += `${index === 0 ? "" : ","}${quote(`${locales[index]}`)}`;
    return `[${text}]`;
  }

  function optionsText(options) {
    let text = "";
    for (const name in options) {
      const value = options[name];
      if (typeof value !== "string" && typeof value !== "boolean" && typeof value !== "number") continue;
      text += `${text === "" ? "" : ","}${quote(name)}:${quote(value)}`;
    }
    return `{${text}}`;
  }

  function timeOf(date) {
    if (date === undefined) return now();
    return typeof date === "object" && date !== null ? number(apply(getTime, date, [])) : number(date);
  }

  const numeric = (value) => encode(typeof value === "bigint" || typeof value === "string" ? value : number(value));
  const dated = (value) => encode(timeOf(value));
  const worded = (value) => encode(`${value}`);
  const listed = (list) => {
    const texts = [];
    for (const text of list) texts[texts.length] = `${text}`;
    return encode(texts);
  };

  /** One built-in class: `methods` tells for each how its values cross to the host; the bound one is a getter. */
  function service(name, bound, methods) {
    const Service = {
      [name]: function (locales, options) {
        const settings = { locales: localesText(locales), options: optionsText(options), bound: undefined };
        ask(name, settings.locales, settings.options, "resolvedOptions", "");
        const self = new.target === undefined ? create(Service.prototype) : this;
        apply(remember, settingsOf, [self, settings]);
        return self;
      },
    }[name];
    const settings = (self) => {
      const found = apply(recall, settingsOf, [self]);
      if (found === undefined) throw new TypeError(`The value is not an Intl.${name}`);
      return found;
    };
    for (const method in methods) {
      const read = methods[method];
      const call = (found, values) => {
        let text = "";
        for (let index = 0; index < read.length; index++)
          text += `${index === 0 ? "" : ","}${read[index](values[index])}`;
        return ask(name, found.locales, found.options, method, text);
      };
      if (method !== bound) {
        const plain = {
          [method](...values) {
            return call(settings(this), values);
          },
        };
        hide(Service.prototype, method, plain[method]);
        continue;
      }
      const get = function () {
        const found = settings(this);
        found.bound ??= (...values) => call(found, values);
        return found.bound;
      };
      defineProperty(Service.prototype, method, { get, enumerable: false, configurable: true });
    }
    hide(Service, "supportedLocalesOf", (locales) => ask(name, localesText(locales), "{}", "supportedLocalesOf", ""));
    defineProperty(Service.prototype, Symbol.toStringTag, { value: `Intl.${name}`, configurable: true });
    return Service;
  }

  const intl = {};
  defineProperty(intl, Symbol.toStringTag, { value: "Intl", configurable: true });
  const add = (name, bound, methods) => hide(intl, name, service(name, bound, { ...methods, resolvedOptions: [] }));
  add("NumberFormat", "format", {
    format: [numeric],
    formatToParts: [numeric],
    formatRange: [numeric, numeric],
    formatRangeToParts: [numeric, numeric],
  });
  add("DateTimeFormat", "format", {
    format: [dated],
    formatToParts: [dated],
    formatRange: [dated, dated],
    formatRangeToParts: [dated, dated],
  });
  add("PluralRules", undefined, { select: [numeric], selectRange: [numeric, numeric] });
  add("Collator", "compare", { compare: [worded, worded] });
  add("ListFormat", undefined, { format: [listed], formatToParts: [listed] });
  add("RelativeTimeFormat", undefined, { format: [numeric, worded], formatToParts: [numeric, worded] });
  hide(intl, "getCanonicalLocales", (names) => ask("Intl", localesText(names), "{}", "getCanonicalLocales", ""));
  hide(globalThis, "Intl", intl);

  function localeMethod(prototype, name, answer) {
    const holder = {
      [name](...values) {
        return answer(this, values[0], values[1], values[2]);
      },
    };
    hide(prototype, name, holder[name]);
  }

  localeMethod(Number.prototype, "toLocaleString", (self, locales, options) =>
    ask("Number", localesText(locales), optionsText(options), "toLocaleString", encode(apply(numberValue, self, []))),
  );
  localeMethod(BigInt.prototype, "toLocaleString", (self, locales, options) =>
    ask("BigInt", localesText(locales), optionsText(options), "toLocaleString", encode(apply(bigintValue, self, []))),
  );
  for (const name of ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"]) {
    localeMethod(Date.prototype, name, (self, locales, options) =>
      ask("Date", localesText(locales), optionsText(options), name, encode(apply(getTime, self, []))),
    );
  }
  localeMethod(String.prototype, "localeCompare", (self, other, locales, options) => {
    if (locales === undefined && `${self}` === `${other}`) return 0;
    return ask("Collator", localesText(locales), optionsText(options), "compare", `${worded(self)},${worded(other)}`);
  });
  for (const [name, native] of [
    ["toLocaleUpperCase", toUpperCase],
    ["toLocaleLowerCase", toLowerCase],
  ]) {
    localeMethod(String.prototype, name, (self, locales) =>
      locales === undefined ? apply(native, self, []) : ask("String", localesText(locales), "{}", name, worded(self)),
    );
  }
  const listText = (self, locales, options) => {
    let text = "";
    for (let index = 0; index < self.length; index++) {
      const element = self[index];
      const shown = element === undefined || element === null ? "" : element.toLocaleString(locales, options);
      text += index === 0 ? shown : `,${shown}`;
    }
    return text;
  };
  localeMethod(Array.prototype, "toLocaleString", listText);
  localeMethod(Object.getPrototypeOf(Int8Array.prototype), "toLocaleString", listText);
};
