// Does what systemd does with mayfly.socket: holds listening sockets and starts the program of its arguments again whenever it ends.
// It never returns to its event loop, so that it accepts no connection itself.
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'

// Without a host the sockets are bound before `listen` returns.
const sockets = [createServer().listen(0), createServer().listen(0)]
const [http, smtp] = sockets.map(socket => socket.address().port)
const env = { ...process.env, LISTEN_FDS: '2', HTTP_PORT: String(http), SMTP_PORT: String(smtp) }
const script = 'echo "pid $$"; LISTEN_PID=$$ exec "$@"'
for (;;) {
  const stdio = ['ignore', 'inherit', 'inherit', ...sockets.map(socket => socket._handle.fd)]
  const { status } = spawnSync('sh', ['-c', script, 'sh', ...process.argv.slice(2)], { env, stdio })
  if (status !== 0) process.exit(1)
}
