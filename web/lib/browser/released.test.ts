import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => vi.unstubAllGlobals())

/** The module in a browser's window, which hears the events that are dispatched at it. */
async function openWindow() {
  const window = new EventTarget()
  vi.stubGlobal('window', window)
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  vi.resetModules()
  const { untilReleased } = await import('./released.ts')
  const happens = (type: string, buttons = 0) => window.dispatchEvent(Object.assign(new Event(type), { buttons }))
  const isReleased = async () => {
    let is = false
    void untilReleased().then(() => {
      is = true
    })
    await Promise.resolve()
    return is
  }
  return { window, happens, untilReleased, isReleased }
}

test.each(['pointerup', 'pointercancel', 'contextmenu', 'blur', 'keydown', 'pointermove'])(
  '%s ends a press, and whoever waits for it',
  async type => {
    const { happens, untilReleased, isReleased } = await openWindow()
    expect(await isReleased()).toBe(true)
    happens('pointerdown')
    expect(await isReleased()).toBe(false)
    const waiting = untilReleased()
    happens('pointermove', 1)
    expect(await isReleased(), 'a move with the button down').toBe(false)
    happens(type)
    await waiting
    expect(await isReleased()).toBe(true)
  },
)

test('the blur of a field, whose focus the press takes, ends none', async () => {
  const { window, happens, isReleased } = await openWindow()
  happens('pointerdown')
  const blur = new Event('blur')
  Object.defineProperty(blur, 'target', { value: {} })
  window.dispatchEvent(blur)
  expect(await isReleased()).toBe(false)
})
