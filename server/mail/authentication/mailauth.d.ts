/** Parts of the library that it does not describe itself. */
declare module 'mailauth/lib/dkim/dkim-verifier.js' {
  import { Writable } from 'node:stream'
  import type { ARCData, DKIMResult } from 'mailauth'
  import type { getPublicKey } from 'mailauth/lib/tools.js'

  type Resolver = (domain: string, type: string) => Promise<string[] | string[][]>
  /** `get` is called for each signature; the result is for one message only in the library's own. */
  export type KeyCache = {
    readonly resolver: Resolver
    get(type: string, name: string, bitsMin: number | undefined, options: object): ReturnType<typeof getPublicKey>
  }

  /** A signature's header field. `parsed` holds its tags by name. */
  export type SignatureHeader = {
    readonly parsed: Record<string, { value: unknown } | undefined>
    selector: string
    signingDomain: string
    identityDomain?: string
  }

  export class DkimVerifier extends Writable {
    constructor(options: { readonly resolver: Resolver; readonly sender: string; readonly strict: boolean; readonly curTime: Date })
    readonly results: DKIMResult[]
    readonly arc: ARCData & { keyCache: KeyCache }
    keyCache: KeyCache
    /** `key` is the field's name in lower case. */
    readonly headers: false | { readonly parsed: readonly { readonly key: string }[] }
    prepareSignature(header: SignatureHeader): void
    verifySignature(header: SignatureHeader, isFallback?: boolean): Promise<object>
  }
}

declare module 'mailauth/lib/dmarc/get-dmarc-record.js' {
  type RecordLookup = (name: string) => Promise<DmarcRecord | false>
  /** Its tags by name. */
  type DmarcRecord = { readonly psd?: string }

  export function createRecordLookup(
    resolver: (domain: string, type: string) => Promise<string[] | string[][]>,
    options: { readonly strict: boolean },
  ): RecordLookup
  /** Rejects with the fault of DNS if it leaves the policy unknown. After the author's own record it leaves the organization unknown. */
  export function discoverPolicy(
    domain: string,
    lookup: RecordLookup,
  ): Promise<{ readonly orgDomain: string | null; readonly orgRecord: DmarcRecord | false | null }>
}

declare module 'mailauth/lib/tools.js' {
  export function toALabel(name: string): string
  /** Looks up and reads a key. Rejects if it is none that may be used, with `code` and, if there is a record, `rr`. */
  export function getPublicKey(
    type: string,
    name: string,
    bitsMin: number | undefined,
    resolver: (domain: string, type: string) => Promise<string[] | string[][]>,
    options: object,
  ): Promise<object>
}
