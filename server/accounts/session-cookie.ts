/** The name of the session cookie. Kept out of better-auth.ts, which takes half a second to import. */

/** `__Host-` binds the cookie to this exact host. Browsers accept it over https only. */
export function sessionCookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-mayfly_session' : 'mayfly_session'
}
