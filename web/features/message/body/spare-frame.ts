import { routes } from '#contract/routes.ts'
import { SANDBOX } from './frame-document.ts'

/** A hidden frame that has loaded the page mail is shown in, so that no mail waits for it. */
let spare: HTMLIFrameElement | undefined

/** Loads the spare frame. A browser that cannot move a frame with its page at least keeps that page for some minutes. */
export function keepSpareFrame(): void {
  if (spare) return
  const frame = newFrame(routes.mailFrame)
  frame.hidden = true
  const keep = () => {
    if (spare || !isMailPage(frame) || !('moveBefore' in frame)) frame.remove()
    else spare = frame
  }
  frame.addEventListener('load', keep, { once: true })
  document.body.append(frame)
}

/** Whether a frame has loaded the page for mail, and no error page of the browser or of a proxy, which has another policy or none. */
const isMailPage = ({ contentDocument }: HTMLIFrameElement) => contentDocument?.title === 'Mail'

/** Puts a frame with this page into `place`. `onLoad` is called when that page has loaded, for the spare frame at once. */
export function placeFrame(place: HTMLElement, src: string, onLoad: () => void): HTMLIFrameElement {
  const frame = src === routes.mailFrame ? spare : undefined
  if (frame) {
    spare = undefined
    frame.hidden = false
    place.moveBefore(frame, null)
    onLoad()
    frame.addEventListener('load', () => isMailPage(frame) && onLoad())
    return frame
  }
  const fresh = newFrame(src)
  fresh.addEventListener('load', () => isMailPage(fresh) && onLoad())
  place.append(fresh)
  return fresh
}

function newFrame(src: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', SANDBOX)
  frame.referrerPolicy = 'no-referrer'
  frame.className = 'block w-full border-0'
  frame.src = src
  return frame
}
