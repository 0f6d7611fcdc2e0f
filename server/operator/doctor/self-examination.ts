import type { Config } from '#server/platform/config/config.ts'
import type { ControlActions } from '../control/control-server.ts'
import type { OutsideServers } from './context.ts'
import { examine, MAIL_PORT, TIME_SERVER } from './doctor.ts'
import type { Finding } from './finding.ts'
import { createNameServer } from './names.ts'

/** Runs the same checks as the command, in the running server, for the operator's page. */
export function examineSelf(
  config: Config,
  actions: ControlActions,
  clock: () => number,
  surroundings: OutsideServers = {},
): Promise<Finding[]> {
  return examine({
    config,
    names: createNameServer(config.dnsServers),
    identify: async () => actions.identify(),
    createProbe: () => actions.createProbe(),
    mailPort: MAIL_PORT,
    timeServer: TIME_SERVER,
    clock,
    ...surroundings,
  })
}
