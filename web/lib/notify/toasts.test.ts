import { afterEach, describe, expect, test } from 'vitest'
import { dismissToast, endNews, showToast, toastStore } from './toasts.ts'

afterEach(() => {
  for (const { id } of toastStore.get()) dismissToast(id)
})

describe('toasts', () => {
  test('stay five seconds and are neutral unless told otherwise', () => {
    showToast({ title: 'Copied' })
    expect(toastStore.get()).toMatchObject([{ title: 'Copied', variant: 'default', durationMs: 5000 }])
  })

  test('the fourth removes the oldest', () => {
    for (const title of ['a', 'b', 'c', 'd']) showToast({ title, variant: 'destructive' })
    expect(toastStore.get().map(toast => toast.title)).toEqual(['b', 'c', 'd'])
  })

  test('with the same text replace one another, unless each has its own button', () => {
    for (const title of ['a', 'b', 'a']) showToast({ title, variant: 'destructive' })
    expect(toastStore.get().map(toast => toast.title)).toEqual(['b', 'a'])
    const action = { label: 'Undo', run: () => {} }
    for (let times = 0; times < 2; times++) showToast({ title: 'Deleted', action })
    expect(toastStore.get().map(toast => toast.title)).toEqual(['a', 'Deleted', 'Deleted'])
  })

  test('a piece of news ends with the next toast, and with what is told elsewhere; a failure, a button and a code stay', () => {
    showToast({ title: 'Copied' })
    showToast({ title: 'Failed', variant: 'destructive' })
    showToast({ title: 'Deleted', action: { label: 'Undo', run: () => {} } })
    expect(toastStore.get().map(toast => toast.title)).toEqual(['Failed', 'Deleted'])
    showToast({ title: 'Mail', code: '481516' })
    endNews()
    expect(toastStore.get().map(toast => toast.title)).toEqual(['Failed', 'Deleted', 'Mail'])
    for (const { id } of toastStore.get()) dismissToast(id)
    showToast({ title: 'Copied' })
    endNews()
    expect(toastStore.get()).toEqual([])
  })

  test('what nobody asked for is not ended by what is copied', () => {
    const id = showToast({ title: 'Opened in another tab', isUnasked: true })
    showToast({ title: 'Copied' })
    endNews()
    expect(toastStore.get().map(toast => toast.title)).toEqual(['Opened in another tab'])
    dismissToast(id)
  })

  test('a listener is called for each change until it unsubscribes', () => {
    let heard = 0
    const leave = toastStore.subscribe(() => {
      heard += 1
    })
    const id = showToast({ title: 'a' })
    dismissToast(id)
    leave()
    showToast({ title: 'b' })
    expect(heard).toBe(2)
  })
})
