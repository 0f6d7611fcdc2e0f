import type { Config } from '#server/platform/config/config.ts'
import { StartError } from '#server/platform/start-error.ts'

/** Turns an operating system error into a sentence with a remedy; returns any other error unchanged. */
export function explainStartError(error: unknown, config: Config): unknown {
  if (error instanceof StartError) return error
  if (!(error instanceof Error) || !('code' in error)) return error
  const syscall = 'syscall' in error ? error.syscall : undefined
  const message = syscall === 'listen' ? listenProblem(error, config) : folderProblem(String(error.code), config.dataDir)
  return message ? new StartError(message, error) : error
}

function listenProblem(error: Error & { code?: unknown; port?: number; address?: string }, { acme }: Config): string | undefined {
  const variables = acme && error.port === acme.httpsPort ? 'HTTPS_PORT' : 'HTTP_PORT or SMTP_PORT'
  const where = `port ${error.port} on ${error.address}`
  switch (error.code) {
    case 'EADDRINUSE':
      return `${where} is in use by another program. Stop it, or choose another port with ${variables}.`
    case 'EACCES':
      return `${where} needs more rights than this user has. Choose a port above 1023 with ${variables}, or grant CAP_NET_BIND_SERVICE.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${where} cannot be listened on: this machine has no such address. Correct HOST.`
    default:
      return undefined
  }
}

function folderProblem(code: string, dataDir: string): string | undefined {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `The data folder ${dataDir} cannot be written by this user. Grant the right, or choose another folder with DATA_DIR.`
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EEXIST':
      return `The data folder ${dataDir} cannot be made: something that is not a folder is in the way, or the system allows no folder there. Choose another with DATA_DIR.`
    case 'ENOSPC':
      return `The disk that holds the data folder ${dataDir} is full. Make room, or choose another folder with DATA_DIR.`
    default:
      return undefined
  }
}
