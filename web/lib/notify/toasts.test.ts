import { afterEach, describe, expect, test } from 'vitest'
import { currentToasts, dismissToast, showToast, subscribeToasts } from './toasts.ts'

afterEach(() => {
  for (const { id } of currentToasts()) dismissToast(id)
})

describe('toasts', () => {
  test('stay five seconds and are neither good nor bad unless told otherwise', () => {
    showToast({ title: 'Copied' })
    expect(currentToasts()).toMatchObject([{ title: 'Copied', variant: 'default', durationMs: 5000 }])
  })

  test('the fourth pushes the oldest out', () => {
    for (const title of ['a', 'b', 'c', 'd']) showToast({ title, variant: 'destructive' })
    expect(currentToasts().map(toast => toast.title)).toEqual(['b', 'c', 'd'])
  })

  test('a listener hears of each change until it leaves', () => {
    let heard = 0
    const leave = subscribeToasts(() => {
      heard += 1
    })
    const id = showToast({ title: 'a' })
    dismissToast(id)
    leave()
    showToast({ title: 'b' })
    expect(heard).toBe(2)
  })
})
