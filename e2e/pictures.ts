/** Compares two pictures of the same size, in the browser that took them. */
import type { Page } from '@playwright/test'

/** A difference that an eye sees on a flat area; below it lies the noise of anti-aliasing. */
const CHANNEL_STEPS = 32

/** The share of pixels that differ, 0 to 1. Pictures of different sizes differ wholly. */
export async function differingShare(page: Page, a: Buffer, b: Buffer): Promise<number> {
  // The same pixels are the same file, and nothing needs to be decoded.
  if (a.equals(b)) return 0
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
      let differing = 0
      for (let i = 0; i < left.data.length; i += 4) {
        const isSame = [0, 1, 2].every(channel => Math.abs((left.data[i + channel] ?? 0) - (right.data[i + channel] ?? 0)) <= steps)
        if (!isSame) differing++
      }
      return differing / (left.data.length / 4)
    },
    { pictures: [a.toString('base64'), b.toString('base64')], steps: CHANNEL_STEPS },
  )
}
