/** Solves a share of a proof of work in JavaScript, off the main thread. */
import { findCounter, fromHex } from './find-counter.ts'
import { pbkdf2 } from './pbkdf2.ts'
import type { Work, Worked } from './solve-in-workers.ts'

function solve({ challenge, first, step }: Work) {
  const { salt, cost, keyLength } = challenge.parameters
  return findCounter(challenge, { first, step, atOnce: 1 }, async password => pbkdf2(password, fromHex(salt), cost).subarray(0, keyLength))
}

addEventListener('message', ({ data }: MessageEvent<Work>) => {
  const reply = (message: Worked) => postMessage(message)
  solve(data).then(
    solution => reply({ solution }),
    error => reply({ error: String(error) }),
  )
})
