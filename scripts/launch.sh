#!/bin/sh
# Installs Bun and the packages of the project if necessary, and then executes Bun with the given arguments:
#     sh scripts/launch.sh src/cli.ts serve
# Requires npm or any version of Bun. If everything is installed, no network access is necessary.

cd "$(dirname "$0")/.." || exit 1
wanted=$(sed -n 's/.*"bun": "\([0-9.]*\)".*/\1/p' package.json)
ours=".bun/$wanted"

main() {
  if ! find_bun; then
    take_turn
    find_bun || fetch_bun
  fi
  if ! is_installed; then
    take_turn
    is_installed || install
  fi
  give_turn
  exec "$bun" "$@"
}

fail() {
  echo "$1" >&2
  exit 1
}

# Sets $bun to a Bun with exactly the required version: the Bun on the path, or else the downloaded Bun.
find_bun() {
  for bun in "$(command -v bun)" "$ours"/node_modules/@oven/*/bin/bun; do
    if [ -x "$bun" ] && [ "$("$bun" --version 2>/dev/null)" = "$wanted" ]; then return 0; fi
  done
  return 1
}

# Bun's package only copies the program from a platform-specific package, in a postinstall script that npm may not run.
# The program is therefore executed from the platform-specific package.
fetch_bun() {
  echo "Fetching Bun $wanted ..." >&2
  rm -rf "$ours" "$ours.new"
  mkdir -p "$ours.new" && echo '{ "private": true }' > "$ours.new/package.json" || fail "The folder .bun cannot be written."
  name_dead_proxy
  (cd "$ours.new" && fetch_package) || fail "Bun $wanted could not be fetched."
  mv "$ours.new" "$ours"
  find_bun || fail "Bun $wanted was fetched into $ours, but it does not run on this machine."
}

fetch_package() {
  if command -v npm > /dev/null; then
    npm install --prefix . --no-save --no-package-lock --no-audit --no-fund --no-progress --ignore-scripts \
      --include=optional --loglevel=error "bun@$wanted" >&2
  elif command -v bun > /dev/null; then
    bun add --exact --ignore-scripts "bun@$wanted" >&2
  else
    fail "Install Node 20 or newer with npm, or Bun (https://bun.com)."
  fi
}

# The mark is stored in node_modules, so that it is deleted together with the packages.
is_installed() {
  [ "$(cat node_modules/.installed 2>/dev/null)" = "$(mark)" ]
}

mark() {
  cksum package.json bun.lock scripts/patches/*
  uname -sm
}

install() {
  echo "Installing packages ..." >&2
  name_dead_proxy
  # The list of packages is only printed if the installation fails.
  if ! output=$("$bun" install --frozen-lockfile 2>&1); then
    echo "$output" >&2
    fail "The packages could not be installed."
  fi
  mark > node_modules/.installed
}

# Prints a message if the proxy is unavailable, because package managers retry for minutes without naming the proxy.
# The installation continues, because not every program uses every proxy.
name_dead_proxy() {
  proxy=${https_proxy:-${HTTPS_PROXY:-${http_proxy:-${HTTP_PROXY:-}}}}
  [ -n "$proxy" ] || return 0
  runtime=${bun:-}
  [ -x "$runtime" ] || runtime=$(command -v node || command -v bun) || return 0
  "$runtime" -e '
    if (!URL.canParse(process.argv[1])) process.exit(0);
    const { hostname, port, host, protocol } = new URL(process.argv[1]);
    const isEncrypted = protocol === "https:";
    const socket = require("node:net").connect(Number(port || (isEncrypted ? 443 : 80)), hostname.replace(/[[\]]/g, ""));
    const end = (why) => {
      console.error(`The proxy ${host} of your environment (https_proxy, http_proxy) ${why}: without it nothing may be fetched.`);
      process.exit(0);
    };
    setTimeout(end, 5_000, "does not answer");
    socket.on("error", (error) => end(`cannot be reached (${error.message})`));
    socket.on("connect", () => process.exit(0));
  ' "$proxy" || return 0
}

# Concurrent commands on a fresh clone install sequentially.
turn=.bun/turn
has_turn=no
take_turn() {
  [ $has_turn = yes ] && return
  mkdir -p .bun || fail "The folder .bun cannot be made."
  until mkdir "$turn" 2>/dev/null; do
    # The process that has the turn stores its id immediately. If there is no id after a second, the process was killed.
    [ -s "$turn/holder" ] || sleep 1
    holder=$(cat "$turn/holder" 2>/dev/null)
    if kill -0 "${holder:-0}" 2>/dev/null && [ -n "$holder" ]; then sleep 1; else rm -rf "$turn"; fi
  done
  has_turn=yes
  trap give_turn EXIT
  trap 'exit 130' INT TERM HUP
  echo $$ > "$turn/holder"
}

give_turn() {
  [ $has_turn = yes ] || return 0
  rm -rf "$turn"
  has_turn=no
  trap - EXIT INT TERM HUP
}

main "$@"
