# Ends the server as systemd would: SIGTERM, then a wait.
set -eu
[ -f /run/mayfly.pid ] || exit 0
pid=$(cat /run/mayfly.pid)
kill -TERM "$pid"
for _ in $(seq 300); do
  # What has ended stays a zombie in this namespace until its parent, the shell of the rehearsal, looks.
  case $(sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$pid/status" 2> /dev/null) in '' | Z) exit 0 ;; esac
  sleep 0.1
done
echo "the server did not end within 30 s" >&2
exit 1
