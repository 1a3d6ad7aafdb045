import { describe, expect, spyOn, test } from "bun:test";
import { createSandbox } from "../../../src/platform/sandbox/index.ts";
import { errorOf, plainRequest, resultOf, runnerOf } from "./scripts.ts";

const run = runnerOf(await createSandbox());

describe("the clock", () => {
  test("the clock of a script shows the step's time, and does not advance", () => {
    const value = resultOf(
      run("const a = Date.now(); for (let i = 0; i < 1e5; i++); return [a, Date.now(), +new Date(), +new Date]"),
    );
    expect(value).toEqual([plainRequest.now, plainRequest.now, plainRequest.now, plainRequest.now]);
  });

  test("the clock of a script uses UTC", () => {
    const value = resultOf(
      run("return [new Date().getTimezoneOffset(), new Date(2026, 6, 1).toISOString(), new Date().getHours()]"),
    );
    expect(value).toEqual([0, "2026-07-01T00:00:00.000Z", 9]);
  });

  test("a script's dates are converted to the same strings as in V8", () => {
    const value = resultOf(
      run(
        "return [String(new Date(0)), Date(), new Date(0).toTimeString(), String(new Date(NaN)), new Date(0).toDateString()]",
      ),
    );
    expect(value).toEqual([
      "Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)",
      "Fri Nov 20 2026 09:38:30 GMT+0000 (Coordinated Universal Time)",
      "00:00:00 GMT+0000 (Coordinated Universal Time)",
      "Invalid Date",
      "Thu Jan 01 1970",
    ]);
  });

  test("a script cannot read the real time from performance or a date's constructor", () => {
    const value = resultOf(
      run("return [typeof performance, new Date().constructor === Date, new Date(5).constructor.now()]"),
    );
    expect(value).toEqual(["undefined", true, plainRequest.now]);
  });

  test("a script's Date class keeps its members and can be extended", () => {
    const source =
      "class Day extends Date { next() { return new Day(+this + 864e5) } }; return [Date.name, Date.length, new Date(5) instanceof Date, new Day(0).next().toISOString(), Date.UTC(2020, 1), Date.parse('2020-01-01')]";
    expect(resultOf(run(source))).toEqual(["Date", 7, true, "1970-01-02T00:00:00.000Z", 1580515200000, 1577836800000]);
  });
});

describe("random values", () => {
  const draw = "return [Math.random(), Math.random(), Math.random()]";

  test("random values of a script are derived from the seed", () => {
    const other = "f".repeat(32);
    expect(resultOf(run(draw))).toEqual(resultOf(run(draw)));
    expect(resultOf(run(draw, { seed: other }))).not.toEqual(resultOf(run(draw)));
  });

  test("random values are distributed evenly between 0 and 1", () => {
    const source =
      "const seen = new Array(10).fill(0); for (let i = 0; i < 1e4; i++) seen[Math.floor(Math.random() * 10)]++; return seen";
    const seen = resultOf(run(`${source}.every((count) => count > 850 && count < 1150)`));
    expect(seen).toBe(true);
  });
});

describe("the globals of a script", () => {
  const absent = [
    "setTimeout",
    "setInterval",
    "queueMicrotask",
    "URL",
    "btoa",
    "crypto",
    "structuredClone",
    "TextEncoder",
    "require",
    "process",
    "Bun",
    "window",
    "document",
    "performance",
    "module",
    "exports",
    "navigator",
  ];
  test.each(absent)("the global %s does not exist in a script", (name) => {
    expect(resultOf(run(`return typeof ${name}`))).toBe("undefined");
  });

  test("console methods return undefined and print nothing", () => {
    const printing = [
      ...(["log", "error", "table"] as const).map((method) => spyOn(console, method)),
      ...[process.stdout, process.stderr].map((stream) => spyOn(stream, "write")),
    ];
    const value = resultOf(run("return [console.log('x'), console.error('x'), console.table([1])]"));
    const printed = printing.flatMap(({ mock }) => mock.calls);
    for (const spy of printing) spy.mockRestore();

    expect(value).toEqual([undefined, undefined, undefined]);
    expect(printed).toEqual([]);
  });

  test("the global object is available as global and as globalThis", () => {
    expect(resultOf(run("return global === globalThis && (function () { return this })() === globalThis"))).toBe(true);
  });

  test("modules cannot be imported", () => {
    expect(run("return await import('node:fs')").kind).toBe("failed");
  });
});

describe("languages and regions", () => {
  const answers: [source: string, value: unknown][] = [
    ["(1234567.891).toLocaleString()", "1,234,567.891"],
    ["(1234567.891).toLocaleString('de-DE')", "1.234.567,891"],
    ["(0.256).toLocaleString('en', { style: 'percent' })", "26%"],
    ["(12345678901234567890n).toLocaleString('de')", "12.345.678.901.234.567.890"],
    ["new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' }).format(1234.5)", "1.234,50\u00a0€"],
    ["Intl.NumberFormat('en', { notation: 'compact' }).format(1234567)", "1.2M"],
    ["[1, 2].map(new Intl.NumberFormat('en', { minimumFractionDigits: 2 }).format)", ["1.00", "2.00"]],
    ["new Intl.NumberFormat('en').formatToParts(1.5).map((part) => part.type)", ["integer", "decimal", "fraction"]],
    ["new Date(0).toLocaleDateString('de-DE')", "1.1.1970"],
    ["new Date(0).toLocaleTimeString('de-DE')", "00:00:00"],
    ["new Date(0).toLocaleString('de-DE', { timeZone: 'Asia/Tokyo' })", "1.1.1970, 09:00:00"],
    ["new Date(NaN).toLocaleString()", "Invalid Date"],
    ["new Intl.DateTimeFormat('en', { dateStyle: 'full' }).format()", "Friday, November 20, 2026"],
    ["new Intl.DateTimeFormat('fr', { month: 'long' }).format(new Date(0))", "janvier"],
    ["new Intl.DateTimeFormat().resolvedOptions().timeZone", "UTC"],
    ["new Intl.NumberFormat().resolvedOptions().locale", "en-US"],
    ["['one', 'two', 'few', 'other'].includes(new Intl.PluralRules('en', { type: 'ordinal' }).select(3))", true],
    ["new Intl.PluralRules('ar').select(3)", "few"],
    ["['z', 'ä', 'a'].sort(new Intl.Collator('de').compare)", ["a", "ä", "z"]],
    ["['z', 'ä', 'a'].sort(new Intl.Collator('sv').compare)", ["a", "z", "ä"]],
    ["['a10', 'a2'].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))", ["a2", "a10"]],
    ["'a'.localeCompare('A', 'en', { sensitivity: 'base' })", 0],
    ["'a'.localeCompare('b') < 0 && 'same'.localeCompare('same') === 0", true],
    ["'i'.toLocaleUpperCase('tr') + 'I'.toLocaleLowerCase('tr') + 'i'.toLocaleUpperCase()", "İıI"],
    ["[1234.5, null, new Date(0)].toLocaleString('de')", "1.234,5,,1.1.1970, 00:00:00"],
    ["new Float64Array([1.5]).toLocaleString('de')", "1,5"],
    ["new Intl.ListFormat('en').format(['a', 'b', 'c'])", "a, b, and c"],
    ["new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-1, 'day')", "yesterday"],
    ["Intl.getCanonicalLocales('EN-us')", ["en-US"]],
    ["Intl.NumberFormat.supportedLocalesOf(['de', 'xx'])", ["de"]],
    ["String(Intl) + new Intl.Collator()", "[object Intl][object Intl.Collator]"],
    ["new (class extends Intl.NumberFormat {})('de').format(1.5)", "1,5"],
  ];

  test.each(answers)("a script gets the expected result: %s", (source, value) => {
    expect(resultOf(run(`return ${source}`))).toEqual(value);
  });

  const refusals: [source: string, name: string][] = [
    ["new Intl.NumberFormat('not a language')", "RangeError"],
    ["new Intl.DateTimeFormat('en', { timeZone: 'Mars/Base' })", "RangeError"],
    ["(1).toLocaleString('en', { style: 'currency' })", "TypeError"],
    ["new Intl.DateTimeFormat().format(NaN)", "RangeError"],
    ["Intl.NumberFormat.prototype.format", "TypeError"],
    ["(10n ** 2000n).toLocaleString()", "RangeError"],
    ["new Intl.Collator().compare('x'.repeat(3e5), 'y')", "RangeError"],
  ];

  test.each(refusals)("%s throws an error that can be caught", (source, name) => {
    expect(resultOf(run(`try { return ${source} } catch (error) { return error.name }`))).toBe(name);
  });

  test("the host's process is inaccessible through a constructor of Intl", () => {
    const source = "const f = new Intl.NumberFormat().constructor.constructor; return f('return typeof process')()";
    expect(resultOf(run(source))).toBe("undefined");
  });

  test("a method of Intl rejects an object of another class", () => {
    const source = "Intl.Collator.prototype.resolvedOptions.call({})";
    expect(errorOf(run(source))).toBe("[undefined] The value is not an Intl.Collator");
  });
});
