/** What requests cost: an address made, its mail listed, one mail opened; and the start page. */
import { routes } from '../../../contract/routes.ts'
import { askMailbox, createAddress } from '../../../test/harness/clients/mailbox-client.ts'
import { dotted } from '../../../test/harness/clients/smtp-client.ts'
import { sendLoad } from '../../../test/harness/clients/smtp-load.ts'
import { siteBuilt } from '../../../test/harness/mayfly/build-server.ts'
import { sampleMail } from '../mime-mails.ts'
import type { Part } from './figures.ts'
import { createAddresses, measureRequests, startMeasured } from './server.ts'

const MAILS_EACH = 20
const MAIL_BYTES = 4096

export const requests: Part = {
  name: 'requests',
  async run({ isQuick }) {
    const count = isQuick ? 40 : 2000
    await using server = await startMeasured()
    const warmUp = await createAddresses(server, isQuick ? 5 : 200)
    const create = await measureRequests(server, { name: 'create an address', count }, () => createAddress(server.httpPort))
    const boxes = warmUp.slice(0, 5)
    const mail = dotted(sampleMail(MAIL_BYTES))
    const body = (n: number) => Buffer.concat([Buffer.from(`X-Bench: ${n}\r\n`), mail])
    const recipients = boxes.map(({ email }) => email)
    await sendLoad({ port: server.smtpPort, connections: 5, messages: MAILS_EACH * boxes.length, recipients, body })
    const ids = await Promise.all(
      boxes.map(async box => {
        const { messages } = (await (await askMailbox(server.httpPort, box, routes.messages)).json()) as { messages: { id: string }[] }
        return messages.map(({ id }) => id)
      }),
    )
    const ask = async (n: number, path: (i: number) => string) => {
      const box = boxes[n % boxes.length]
      if (!box) throw new Error('no mailbox')
      const response = await askMailbox(server.httpPort, box, path(n % boxes.length))
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
      await response.arrayBuffer()
    }
    const list = await measureRequests(server, { name: `list ${MAILS_EACH} mails`, count: count / 2, atOnce: 5 }, n =>
      ask(n, () => routes.messages),
    )
    const open = await measureRequests(server, { name: 'open a mail of 4 kB', count: count / 2, atOnce: 5 }, n =>
      ask(n, i => routes.message.replace(':id', ids[i]?.[n % MAILS_EACH] ?? '')),
    )
    return [...create, ...list, ...open]
  },
}

export const page: Part = {
  name: 'page',
  async run({ isQuick }) {
    await siteBuilt()
    await using server = await startMeasured()
    const get = async () => {
      const response = await fetch(`http://127.0.0.1:${server.httpPort}/`, { headers: { 'accept-encoding': 'br' } })
      if (response.status !== 200) throw new Error(`${response.status}`)
      await response.arrayBuffer()
    }
    for (let i = 0; i < (isQuick ? 5 : 500); i++) await get()
    return await measureRequests(server, { name: 'the start page', count: isQuick ? 20 : 5000 }, get)
  },
}
