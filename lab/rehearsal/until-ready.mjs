// Waits until this address answers by HTTPS with a certificate that this machine trusts, and prints what it answers.
const [, , url = ''] = process.argv
// A slow machine under load may take minutes to start a server.
const ENDS_AT = Date.now() + 600_000
for (;;) {
  const answer = await fetch(url).catch(error => error)
  if (answer.ok) {
    console.log(await answer.text())
    break
  }
  if (Date.now() > ENDS_AT) throw answer instanceof Error ? answer : new Error(`${url} answers ${answer.status}`)
  await new Promise(resolve => setTimeout(resolve, 200))
}
