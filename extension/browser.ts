/**
 * The part of the WebExtensions API that the extension uses, as both browsers have it with Manifest V3
 * (https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/API). Written by hand, because the packages of types declare hundreds
 * of calls that only one of the browsers has.
 */

type Event<Listener> = { addListener(listener: Listener): void }
type StorageArea = { get(key: string): Promise<Record<string, unknown>>; set(items: Record<string, unknown>): Promise<void> }
export type MenuClick = { readonly menuItemId: string; readonly frameId?: number }
export type Tab = { readonly id?: number; readonly url?: string }
type Origins = { readonly origins: readonly string[] }
type Sender = { readonly id?: string; readonly url?: string }
/** Pixels by the width of the icon. */
type Icons = { readonly imageData: Readonly<Record<number, ImageData>> } | { readonly path: Readonly<Record<number, string>> }

type Browser = {
  readonly action: {
    setBadgeText(details: { text: string }): Promise<void>
    setBadgeBackgroundColor(details: { color: string }): Promise<void>
    setBadgeTextColor(details: { color: string }): Promise<void>
    setIcon(details: Icons): Promise<void>
    setTitle(details: { title: string }): Promise<void>
  }
  readonly alarms: {
    readonly onAlarm: Event<() => void>
    create(name: string, info: { periodInMinutes: number }): Promise<void> | void
    clear(name: string): Promise<boolean>
  }
  readonly contextMenus: {
    readonly onClicked: Event<(click: MenuClick, tab?: Tab) => void>
    create(properties: { id: string; title: string; contexts: readonly string[]; visible?: boolean }): void
    update(id: string, properties: { title: string; visible: boolean }): Promise<void>
  }
  readonly i18n: { getMessage(name: string, substitutions?: readonly string[]): string }
  readonly notifications: {
    create(id: string, options: { type: 'basic'; iconUrl: string; title: string; message: string }): Promise<string>
    clear(id: string): Promise<boolean>
  }
  readonly permissions: {
    contains(permissions: Origins): Promise<boolean>
    getAll(): Promise<Origins>
    remove(permissions: Origins): Promise<boolean>
    request(permissions: Origins): Promise<boolean>
  }
  readonly runtime: {
    readonly onInstalled: Event<() => void>
    readonly onStartup: Event<() => void>
    /** The listener returns `true` to answer later. */
    readonly onMessage: Event<(message: unknown, sender: Sender, answer: (value: unknown) => void) => true | undefined>
    readonly id: string
    getPlatformInfo(): Promise<unknown>
    getURL(path: string): string
    sendMessage(message: unknown): Promise<unknown>
  }
  readonly scripting: {
    /** `func` travels as its source: it sees nothing but its arguments. */
    executeScript<Args extends unknown[], Result>(injection: {
      target: { tabId: number; frameIds?: readonly number[]; allFrames?: boolean }
      func: (...args: Args) => Result
      args: Args
    }): Promise<{ frameId: number; result?: Result }[]>
  }
  readonly storage: {
    readonly local: StorageArea
    readonly session: StorageArea
    readonly onChanged: Event<(changes: Record<string, unknown>, area: string) => void>
  }
  readonly tabs: { query(query: { active: true; currentWindow: true }): Promise<Tab[]>; create(properties: { url: string }): Promise<Tab> }
}

/** Firefox has it under this name too. */
export const browser = (globalThis as unknown as { chrome: Browser }).chrome

/** The pattern of a host permission. Without the port, which Firefox refuses in a pattern. */
export function hostPattern(origin: string): string {
  const { protocol, hostname } = new URL(origin)
  return `${protocol}//${hostname}/*`
}
