/** One soft tone when mail comes, for who turned it on. Made here: there is no file to fetch. */

const SECONDS = 0.9
/** Far below a full voice. */
const LOUDNESS = 0.06
/** A fifth, the second note a moment later. */
const NOTES = [
  { hertz: 587, at: 0 },
  { hertz: 880, at: 0.12 },
] as const

let audio: AudioContext | undefined

/** Call it from a click the first time: browsers play nothing on a page that was never pressed. */
export async function play(): Promise<void> {
  audio ??= new AudioContext()
  await audio.resume()
  const start = audio.currentTime
  for (const { hertz, at } of NOTES) {
    const voice = new OscillatorNode(audio, { type: 'sine', frequency: hertz })
    const loudness = new GainNode(audio, { gain: 0 })
    loudness.gain.setValueAtTime(0, start + at)
    loudness.gain.linearRampToValueAtTime(LOUDNESS, start + at + 0.03)
    loudness.gain.exponentialRampToValueAtTime(0.0001, start + at + SECONDS)
    voice.connect(loudness).connect(audio.destination)
    voice.start(start + at)
    voice.stop(start + at + SECONDS)
  }
}
