#!/usr/bin/env bash
# One expects a mail from news.example.com with a valid signature of example.com to pass DMARC under relaxed alignment, since both have one
# organizational domain: RFC 7489 section 3.2 finds it by the public suffix list.
# mailauth 7.1.0 follows RFC 9989 (section 4.10, a walk up the DNS): where the only record is at _dmarc.news.example.com, the same mail fails
# with p=reject. mailauth 5.0.3 passes it. It is the record's place that decides: one more at _dmarc.example.com makes it pass again.
# It matters to whoever updates a checker, and to owners who wrote a record for one subdomain only: nothing else of theirs has changed.
# Wrong guess: the newest release still reads the public suffix list, and an update changes no verdict on mail that its own domain signed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --prefix "$folder" mailauth@7.1.0 older@npm:mailauth@5.0.3 >/dev/null
cat >try.cjs <<'JS'
const BELOW = { '_dmarc.news.example.com': 'v=DMARC1; p=reject; rua=mailto:reports@example.com' }
const BOTH = { ...BELOW, '_dmarc.example.com': 'v=DMARC1; p=none; rua=mailto:reports@example.com' }

async function verdict(library, records) {
  const { dmarc } = require(`${library}/lib/dmarc/index.js`)
  const resolver = async (name, type) => {
    if (type === 'TXT' && records[name]) return [[records[name]]]
    throw Object.assign(new Error(`no ${name}`), { code: 'ENOTFOUND' })
  }
  const { status, policy } = await dmarc({ headerFrom: 'joe@news.example.com', spfDomains: [], dkimDomains: [{ domain: 'example.com' }], resolver })
  return `${status.result} (p=${policy})`
}

async function main() {
  const seen = []
  for (const library of ['older', 'mailauth']) {
    const { version } = require(`${library}/package.json`)
    for (const [place, records] of Object.entries({ 'below the signer': BELOW, 'and above it': BOTH }))
      seen.push(`mailauth ${version}, a record ${place}: ${await verdict(library, records)}`)
  }
  console.log(seen.join('\n'))
  const expected = [
    'mailauth 5.0.3, a record below the signer: pass (p=reject)',
    'mailauth 5.0.3, a record and above it: pass (p=reject)',
    'mailauth 7.1.0, a record below the signer: fail (p=reject)',
    'mailauth 7.1.0, a record and above it: pass (p=reject)',
  ]
  if (seen.join('\n') !== expected.join('\n')) throw new Error('this behaviour has changed')
}
main().catch(error => {
  console.error(error.message)
  process.exitCode = 1
})
JS
node try.cjs
