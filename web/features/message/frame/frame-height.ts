/** A mail whose height grows with its frame (`height: 110vh`) is resized this often and no further. */
export const STEPS_MAX = 3
/**
 * Taller mails scroll inside their frame: a frame of a million pixels would stall the page. On a phone a second scroller under the thumb is
 * worse than a long page, and there the same mail is longer.
 */
export const HEIGHT_MAX_PX = { phone: 200_000, desktop: 20_000 }
const PHONE_WIDTH_PX = 600
const HEIGHT_MIN_PX = 48

export type FrameFit = { readonly height: number; readonly width: number; readonly steps: number }

export const INITIAL_FIT: FrameFit = { height: HEIGHT_MIN_PX, width: 0, steps: 0 }

/**
 * The next fit, or the same object if the frame stays as it is. A new width restarts the count, because the text is laid out again. @param
 * screenWidth of the window around the frame, which may be far wider than a mail's text
 */
export function nextFit(fit: FrameFit, contentHeight: number, width: number, screenWidth: number): FrameFit {
  const heightMax = screenWidth < PHONE_WIDTH_PX ? HEIGHT_MAX_PX.phone : HEIGHT_MAX_PX.desktop
  const height = Math.min(heightMax, Math.max(HEIGHT_MIN_PX, Math.ceil(contentHeight)))
  if (width !== fit.width) return { height, width, steps: 1 }
  if (height === fit.height || fit.steps >= STEPS_MAX) return fit
  return { height, width, steps: fit.steps + 1 }
}
