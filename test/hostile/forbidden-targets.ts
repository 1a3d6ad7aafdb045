/** An address that no call may reach, in a form in which an author, a visitor or a server could write it. */
export type Target = { readonly title: string; readonly url: string };

/** Names of a foreign domain, and their addresses. Each name resolves to at least one forbidden address. */
export const forbiddenNames: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ...[
      "127.0.0.1",
      "127.0.0.2",
      "0.0.0.0",
      "10.0.0.1",
      "172.16.0.1",
      "192.168.1.1",
      "169.254.169.254",
      "100.100.100.200",
    ],
    ...["192.0.0.192", "168.63.129.16", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"],
    ...["::", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1", "::127.0.0.1", "::ffff:0:127.0.0.1", "fe80::1", "fe80::1%lo"],
    ...["fd00:ec2::254", "ff02::1", "64:ff9b::7f00:1", "64:ff9b:1::808:808", "2002:7f00:1::", "2001:0:1::80ff:fffe"],
    // The answers of a dishonest resolver.
    ...["", "localhost", "127.1", "0x7f000001", "2130706433", "8.8.8.8.", "not an address"],
  ]
    .map((address, index): [string, readonly string[]] => [`inner-${index}.example`, [address]])
    .concat([
      ["mixed.example", ["8.8.8.8", "127.0.0.1"]],
      ["mixed-6.example", ["2606:4700::1111", "::1"]],
      ["last-of-many.example", [...Array.from({ length: 50 }, () => "8.8.8.8"), "10.0.0.1"]],
      ["host.docker.internal", ["192.168.65.254"]],
      ["kubernetes.default.svc.cluster.local", ["10.96.0.1"]],
      ["127.0.0.1.nip.example", ["127.0.0.1"]],
      ["ip6-localhost", ["::1"]],
      ["localhost.localdomain", ["127.0.0.1"]],
    ]),
);

/** Returns every form of every target. Forms with a port use the given port, where a listener would detect a call. */
export function forbiddenTargets(port: number): readonly Target[] {
  const urls = [
    ...["127.0.0.1", "169.254.169.254", "10.0.0.1"].flatMap((address) => spellings(address, port)),
    ...[...addresses4, ...addresses6.map((address) => `[${address}]`)].map((host) => `http://${host}:${port}/`),
    ...hosts.map((host) => `http://${host}:${port}/`),
    ...[...forbiddenNames.keys()].map((host) => `http://${host}:${port}/`),
    ...ports.map((other) => `http://example.com:${other}/`),
    ...schemes,
    ...broken(port),
  ];
  return [...new Set(urls)].map((url) => ({ title: JSON.stringify(url), url }));
}

const addresses4 = [
  ...["0.0.0.0", "0.1.2.3", "10.255.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.254", "127.0.0.2"],
  ...["127.255.255.254", "168.63.129.16", "169.254.0.1", "172.16.0.1", "172.31.255.254", "192.0.0.1", "192.0.0.192"],
  ...["192.0.2.1", "192.88.99.1", "192.168.0.1", "192.168.255.254", "198.18.0.1", "198.19.255.254", "198.51.100.1"],
  ...["203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.254", "255.255.255.255"],
];

const addresses6 = [
  ...[
    "::",
    "::1",
    "0:0:0:0:0:0:0:1",
    "0000:0000:0000:0000:0000:0000:0000:0001",
    "::0.0.0.1",
    "::2",
    "fe80::1",
    "febf::1",
  ],
  ...["fec0::1", "fc00::1", "fd00:ec2::254", "fdff:ffff::1", "ff01::1", "ff02::1", "ff05::1:3", "ff0e::1", "100::1"],
  ...["2001::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1", "3fff::1", "4000::1", "5f00::1", "e000::1"],
];

const hosts = [
  ...["localhost", "LOCALHOST", "LocalHost.", "a.localhost", "a.b.localhost.", "ｌｏｃａｌｈｏｓｔ", "%6cocalhost"],
  ...["local\u00adhost", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "user:password@localhost", "metadata", "metadata.google.internal"],
  ...["METADATA.Google.Internal.", "metadata.goog", "metadata。google。internal"],
];

const ports = [0, 1, 21, 22, 23, 25, 53, 110, 111, 143, 389, 465, 587, 636, 993, 2049, 5060, 6000, 6667, 10080];

const schemes = [
  ...["file:///etc/passwd", "file://127.0.0.1/etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1:6379/_INFO"],
  ...["dict://127.0.0.1:6379/info", "ldap://127.0.0.1/", "tftp://127.0.0.1/x", "ssh://127.0.0.1/", "ws://127.0.0.1/"],
  ...["wss://127.0.0.1/", "unix:///var/run/docker.sock", "http+unix://%2Fvar%2Frun%2Fdocker.sock/info", "data:,x"],
  ...["javascript:fetch('http://127.0.0.1/')", "blob:http://127.0.0.1/x", "about:blank", "jar:http://127.0.0.1!/x"],
  ...["view-source:http://127.0.0.1/", "mailto:root@localhost", "netdoc:///etc/passwd", "postgres://127.0.0.1:5432/"],
];

function broken(port: number): string[] {
  return [
    ...["", " ", "/", "//", "http://", "http:///", "https://:80", "http://[::1", "http://::1/", "http://[::1%25lo]/"],
    ...[`127.0.0.1:${port}`, `//127.0.0.1:${port}/`, `[::1]:${port}`, `localhost:${port}/`, "http://[fe80::1%lo]/"],
    ...["http://256.1.1.1/", "http://1.2.3.4.5/", "http://127.0.0.1:99999/", "http://127.0.0.1:-1/", "http://a b/"],
    ...["http://%00/", "http://127.0.0.1%00.example.com/", "http://127.0.0.1%0d%0aHost:x/", "http://exa%23mple.com/"],
    ...[
      "http://0x7f.0x.1/",
      "http://127.0.0.0x/",
      "http://4294967296/",
      "http://[::ffff:999.0.0.1]/",
      "http://[v1.x]/",
    ],
  ];
}

/** Returns one IPv4 address in every notation that a program may accept. */
function spellings(address: string, port: number): string[] {
  const parts = address.split(".").map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = parts;
  const number = a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d;
  const each = (write: (part: number) => string) => parts.map(write).join(".");
  const hex = (part: number) => `0x${part.toString(16)}`;
  const octal = (part: number) => `0${part.toString(8)}`;
  const group = (high: number, low: number) => (high * 256 + low).toString(16);
  const inverted = `${group(255 - a, 255 - b)}:${group(255 - c, 255 - d)}`;
  const words = `${group(a, b)}:${group(c, d)}`;
  const letters = (first: number) => address.replaceAll(/\d/g, (digit) => String.fromCodePoint(first + Number(digit)));
  const spelled = [
    ...[
      address,
      `${address}.`,
      String(number),
      hex(number),
      hex(number).toUpperCase().replace("X", "x"),
      octal(number),
    ],
    ...[each(hex), each(octal), each((part) => `000${octal(part)}`), each((part) => `0X${part.toString(16)}`)],
    ...[`${a}.${b}.${c * 256 + d}`, `${a}.${b * 2 ** 16 + c * 256 + d}`, `${hex(a)}.${octal(b)}.${c}.${hex(d)}`],
    ...[`${octal(a)}.${hex(b * 2 ** 16 + c * 256 + d)}`, letters(0xff10), letters(0x1d7ce), letters(0x1d7f6)],
    ...["。", "｡", "．"].map((dot) => address.replaceAll(".", dot)),
    ...[
      address.replaceAll(/\d/g, (digit) => `%3${digit}`),
      address.replaceAll(".", "%2E"),
      address.replaceAll(".", "%2e"),
    ],
    ...["\u00ad", "\u200b", "\u2060", "\ufeff", "\t", "\n"].map((unseen) => address.replace(".", `.${unseen}`)),
    ...[
      `example.com@${address}`,
      `example.com:80@${address}`,
      `8.8.8.8@${address}`,
      `a:b@c@${address}`,
      `%40@${address}`,
    ],
    ...[`[::ffff:${address}]`, `[::FFFF:${words}]`, `[0:0:0:0:0:ffff:${words}]`, `[::${address}]`, `[::${words}]`],
    ...[`[::ffff:0:${address}]`, `[64:ff9b::${address}]`, `[64:ff9b::${words}]`, `[64:ff9b:1::${words}]`],
    ...[`[2002:${words}::]`, `[2002:${words}::1]`, `[2001:0:808:808:0:0:${inverted}]`, `[2001:0:${words}::1]`],
  ];
  return [
    ...spelled.map((host) => `http://${host}:${port}/`),
    `https://${address}:${port}/`,
    `HTTP://${address}:${port}`,
    `http:${address}:${port}/`,
    `http:/${address}:${port}/`,
    `http:\\\\${address}:${port}\\`,
    `http:////${address}:${port}/`,
    `  http://${address}:${port}/`,
    `http://${address}:${port}/`,
    `ht\ntp://${address}:${port}/`,
    `http://${address}:${port}\\@example.com/`,
    `http://${address}:${port}#@example.com/`,
    `http://${address}:${port}?@example.com/`,
    `http://${address}:0${port}/`,
  ];
}
