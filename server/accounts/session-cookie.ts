/** The session cookie's name. Apart from better-auth.ts, which takes half a second to import. */

/** `__Host-` binds the cookie to this very host; a browser takes it over https only. */
export function sessionCookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-mayfly_session' : 'mayfly_session'
}
