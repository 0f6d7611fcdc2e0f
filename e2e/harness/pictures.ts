/** Takes pictures of a page and compares two of the same size, in the browser that took them. */
import type { CDPSession, Page } from '@playwright/test'

/** A difference that an eye sees on a flat area; below it lies the noise of anti-aliasing. */
const CHANNEL_STEPS = 32

/** The page as it is in the window: a PNG in base64, packed loosely, since a hundred pictures are looked at once and thrown away. */
export async function takePicture(session: CDPSession): Promise<string> {
  const { data } = await session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true })
  return data
}

/** The share of pixels that differ, 0 to 1. Pictures of different sizes differ wholly. */
export async function differingShare(page: Page, a: string, b: string): Promise<number> {
  // The same pixels are the same file, and nothing needs to be decoded.
  if (a === b) return 0
  return page.evaluate(
    async ({ pictures, steps }) => {
      const [left, right] = await Promise.all(
        pictures.map(async picture => {
          const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob())
          const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
          context?.drawImage(bitmap, 0, 0)
          return context?.getImageData(0, 0, bitmap.width, bitmap.height)
        }),
      )
      if (!left || !right || left.width !== right.width || left.height !== right.height) return 1
      // Most pixels are equal in all channels, and a comparison of whole pixels finds that in a fraction of the time.
      const [leftPixels, rightPixels] = [new Uint32Array(left.data.buffer), new Uint32Array(right.data.buffer)]
      let differing = 0
      for (let pixel = 0; pixel < leftPixels.length; pixel++) {
        if (leftPixels[pixel] === rightPixels[pixel]) continue
        const at = pixel * 4
        for (let channel = at; channel < at + 3; channel++) {
          if (Math.abs((left.data[channel] ?? 0) - (right.data[channel] ?? 0)) <= steps) continue
          differing++
          break
        }
      }
      return differing / (left.data.length / 4)
    },
    { pictures: [a, b], steps: CHANNEL_STEPS },
  )
}

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** The share of pixels that differ between the two boxes of each pair, which lie in one picture. */
export async function differingShares(page: Page, picture: string, pairs: readonly (readonly [Box, Box])[]): Promise<number[]> {
  return page.evaluate(
    async ({ picture, pairs, steps }) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob())
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true })
      context?.drawImage(bitmap, 0, 0)
      const read = ({ x, y, width, height }: Box) => context?.getImageData(x, y, width, height).data ?? new Uint8ClampedArray()
      return pairs.map(([left, right]) => {
        const [a, b] = [read(left), read(right)]
        const [aPixels, bPixels] = [new Uint32Array(a.buffer), new Uint32Array(b.buffer)]
        let differing = 0
        for (let at = 0; at < a.length; at += 4) {
          if (aPixels[at / 4] === bPixels[at / 4]) continue
          const isFar = [0, 1, 2].some(channel => Math.abs((a[at + channel] ?? 0) - (b[at + channel] ?? 0)) > steps)
          if (isFar) differing++
        }
        return differing / (a.length / 4)
      })
    },
    { picture, pairs, steps: CHANNEL_STEPS },
  )
}
