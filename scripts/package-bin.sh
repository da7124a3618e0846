#!/bin/sh
# The program of the published package, on the machine's Node.js.
set -eu
self=$0
while [ -L "$self" ]; do
  link=$(readlink "$self")
  case $link in /*) self=$link ;; *) self=$(dirname "$self")/$link ;; esac
done
root=$(cd "$(dirname "$self")/.." && pwd)

# Its messages name it as people type it: npm tells a program that npx has started it.
if [ "${npm_command-}" = exec ]; then program='npx tidemark'
elif [ "$(command -v tidemark)" = "$0" ]; then program=tidemark
else program=$0; fi
export TIDEMARK_PROGRAM="$program"

. "$root/scripts/process-settings.sh"
exec node $node_options "$root/scripts/launch.js" "$@"
